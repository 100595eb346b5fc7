// SPDX-License-Identifier: Apache-2.0

// The order service as it is usually written: a middleware claims the key in Redis by a Lua script, the handler
// inserts the order under a unique constraint in PostgreSQL, and the answer is kept in Redis for repeats. It
// has the faults that this style has (a key is freed by age, a crash between the two stores leaves them apart);
// it is here for its speed.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

const (
	processing  = "processing"
	claimedFor  = 30 * time.Second
	answeredFor = 24 * time.Hour
)

var claim = redis.NewScript(`
local there = redis.call('GET', KEYS[1])
if there then return there end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`)

type order struct {
	Total string `json:"total"`
	Buyer string `json:"buyer"`
}

func once(cache *redis.Client) gin.HandlerFunc {
	return func(c *gin.Context) {
		key := c.GetHeader("Idempotency-Key")
		if key == "" {
			c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": "Idempotency-Key is missing"})
			return
		}
		name := "idem:" + c.GetHeader("X-User") + ":" + key
		seen, err := claim.Run(c, cache, []string{name}, processing, claimedFor.Milliseconds()).Text()
		switch {
		case err == redis.Nil:
		case err != nil:
			c.AbortWithStatusJSON(http.StatusServiceUnavailable, gin.H{"error": "try again"})
			return
		case seen == processing:
			c.AbortWithStatusJSON(http.StatusConflict, gin.H{"error": "in progress"})
			return
		default:
			c.Header("Idempotent-Replayed", "true")
			c.Data(http.StatusCreated, "application/json", []byte(seen))
			c.Abort()
			return
		}
		c.Next()
		if answer, ok := c.Get("answer"); ok {
			cache.Set(context.WithoutCancel(c), name, answer, answeredFor)
		} else {
			cache.Del(context.WithoutCancel(c), name)
		}
	}
}

func create(store *pgxpool.Pool) gin.HandlerFunc {
	return func(c *gin.Context) {
		body, err := c.GetRawData()
		var wanted order
		if err != nil || json.Unmarshal(body, &wanted) != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": "not an order"})
			return
		}
		var id int64
		err = store.QueryRow(c, `INSERT INTO orders (idempotency_key, buyer, total, body) VALUES ($1, $2, $3, $4)
			RETURNING id`, c.GetHeader("X-User")+":"+c.GetHeader("Idempotency-Key"), wanted.Buyer, wanted.Total,
			body).Scan(&id)
		if err != nil {
			c.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
			return
		}
		answer, _ := json.Marshal(gin.H{"id": id, "status": "created"})
		c.Set("answer", answer)
		c.Data(http.StatusCreated, "application/json", answer)
	}
}

func main() {
	ctx := context.Background()
	store, err := pgxpool.New(ctx, os.Getenv("POSTGRES"))
	if err != nil {
		log.Fatal(err)
	}
	if _, err = store.Exec(ctx, `CREATE TABLE IF NOT EXISTS orders (
		id bigserial PRIMARY KEY, idempotency_key text NOT NULL UNIQUE, buyer text NOT NULL, total numeric NOT NULL,
		body bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`); err != nil {
		log.Fatal(err)
	}
	cache := redis.NewClient(&redis.Options{Addr: os.Getenv("REDIS"), PoolSize: 64})
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.GET("/", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	router.POST("/orders", once(cache), create(store))
	log.Fatal(http.ListenAndServe(os.Getenv("LISTEN"), router))
}
