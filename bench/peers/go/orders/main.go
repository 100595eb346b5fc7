// SPDX-License-Identifier: Apache-2.0

// An order service that keeps what a flow of Pawl keeps, on PostgreSQL, in one transaction per order: the record of
// the request with its answer, the order with its deadline and what it holds, the stock, and a row of history that
// is also the outgoing event. Only creation, and its repeats; nothing expires and nothing is sent.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"sort"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const schema = `
CREATE SEQUENCE IF NOT EXISTS fence;
CREATE SEQUENCE IF NOT EXISTS order_id;
CREATE TABLE IF NOT EXISTS record (
	identity bytea PRIMARY KEY, fingerprint bytea NOT NULL, rule bytea NOT NULL, claim bytea NOT NULL,
	fence bigint NOT NULL, state smallint NOT NULL, owner text NOT NULL, created_ms bigint NOT NULL,
	result_until bigint, key_until bigint, tenant text NOT NULL, caller bytea NOT NULL, operation text NOT NULL,
	key_label text NOT NULL, trace_id text NOT NULL, status smallint, headers bytea, body bytea, digest bytea);
CREATE TABLE IF NOT EXISTS stock (
	sku text PRIMARY KEY, available bigint NOT NULL CHECK (available >= 0), reserved bigint NOT NULL,
	sold bigint NOT NULL);
CREATE TABLE IF NOT EXISTS entity (
	id bigint PRIMARY KEY, flow text NOT NULL, state text NOT NULL, version bigint NOT NULL, created_ms bigint NOT NULL,
	fields jsonb NOT NULL, items jsonb NOT NULL, held jsonb NOT NULL, due_ms bigint);
CREATE INDEX IF NOT EXISTS entity_due ON entity (due_ms) WHERE due_ms IS NOT NULL;
CREATE TABLE IF NOT EXISTS history (
	number bigserial PRIMARY KEY, id bigint NOT NULL, version bigint NOT NULL, event text NOT NULL, source text NOT NULL,
	target text NOT NULL, type text NOT NULL, given jsonb NOT NULL, at_ms bigint NOT NULL, record bytea NOT NULL,
	sent boolean NOT NULL DEFAULT false, UNIQUE (id, version));
CREATE INDEX IF NOT EXISTS history_unsent ON history (number) WHERE NOT sent;`

const (
	completed = 2
	result    = 24 * time.Hour
	tombstone = 400 * 24 * time.Hour
	deadline  = time.Hour
)

var errShort = errors.New("out of stock")

type line struct {
	Sku      string `json:"sku"`
	Quantity int64  `json:"quantity"`
}

type order struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Items    []line `json:"items"`
}

func digest(parts ...string) []byte {
	sum := sha256.New()
	for _, part := range parts {
		size := len(part)
		sum.Write([]byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)})
		io.WriteString(sum, part)
	}
	return sum.Sum(nil)
}

type service struct{ store *pgxpool.Pool }

func (s *service) replay(c *gin.Context, identity, fingerprint []byte) (found bool) {
	var status int16
	var first, body []byte
	err := s.store.QueryRow(c, `SELECT fingerprint, status, body FROM record WHERE identity = $1`,
		identity).Scan(&first, &status, &body)
	if errors.Is(err, pgx.ErrNoRows) {
		return false
	}
	switch {
	case err != nil:
		c.AbortWithStatus(http.StatusServiceUnavailable)
	case !bytes.Equal(first, fingerprint):
		c.AbortWithStatus(http.StatusUnprocessableEntity)
	default:
		c.Header("Idempotent-Replayed", "true")
		c.Data(int(status), "application/json", body)
	}
	return true
}

// One statement after the other, as such a service is written.
func (s *service) write(tx pgx.Tx, c *gin.Context, wanted order, given, identity, fingerprint []byte, key,
	caller string) ([]byte, error) {
	now := time.Now()
	var id int64
	if err := tx.QueryRow(c, `SELECT nextval('order_id')`).Scan(&id); err != nil {
		return nil, err
	}
	items, _ := json.Marshal(wanted.Items)
	fields, _ := json.Marshal(gin.H{"amount": wanted.Amount, "currency": wanted.Currency})
	answer, _ := json.Marshal(gin.H{"id": strconv.FormatInt(id, 10), "flow": "bench", "state": "reserved", "version": 1,
		"fields": gin.H{"amount": wanted.Amount, "currency": wanted.Currency}, "items": wanted.Items})
	claim := make([]byte, 16)
	rand.Read(claim)
	done, err := tx.Exec(c, `INSERT INTO record (identity, fingerprint, rule, claim, fence, state, owner, created_ms,
		result_until, key_until, tenant, caller, operation, key_label, trace_id, status, headers, body, digest)
		VALUES ($1, $2, $3, $4, nextval('fence'), $5, 'node:1', $6, $7, $8, '', $9, $10, $11, $12, 201, $13, $14, $15)
		ON CONFLICT DO NOTHING`, identity, fingerprint, digest("json"), claim, completed, now.UnixMilli(),
		now.Add(result).UnixMilli(), now.Add(tombstone).UnixMilli(), digest("", caller), c.FullPath(), key,
		"0af7651916cd43dd8448eb211c80319c", []byte(`{"Content-Type":"application/json"}`), answer,
		digest(string(answer)))
	if err != nil || done.RowsAffected() == 0 {
		return nil, err
	}
	for _, one := range wanted.Items {
		done, err = tx.Exec(c, `UPDATE stock SET available = available - $2, reserved = reserved + $2
			WHERE sku = $1 AND available >= $2`, one.Sku, one.Quantity)
		if err == nil && done.RowsAffected() == 0 {
			err = errShort
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err = tx.Exec(c, `INSERT INTO entity (id, flow, state, version, created_ms, fields, items, held, due_ms)
		VALUES ($1, 'bench', 'reserved', 1, $2, $3, $4, $4, $5)`, id, now.UnixMilli(), fields, items,
		now.Add(deadline).UnixMilli()); err != nil {
		return nil, err
	}
	_, err = tx.Exec(c, `INSERT INTO history (id, version, event, source, target, type, given, at_ms, record)
		VALUES ($1, 1, 'create', '', 'reserved', 'order.created', $2, $3, $4)`, id, given, now.UnixMilli(), identity)
	return answer, err
}

func (s *service) create(c *gin.Context) {
	key, caller := c.GetHeader("Idempotency-Key"), c.GetHeader("X-User")
	body, err := c.GetRawData()
	var wanted order
	if err != nil || key == "" || caller == "" || json.Unmarshal(body, &wanted) != nil || len(wanted.Items) == 0 {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	sort.Slice(wanted.Items, func(a, b int) bool { return wanted.Items[a].Sku < wanted.Items[b].Sku })
	identity := digest("", caller, c.FullPath(), key)
	fingerprint := digest(c.Request.Method, c.Request.RequestURI, string(body))
	if s.replay(c, identity, fingerprint) {
		return
	}
	var answer []byte
	err = pgx.BeginFunc(c, s.store, func(tx pgx.Tx) (err error) {
		answer, err = s.write(tx, c, wanted, body, identity, fingerprint, key, caller)
		return err
	})
	switch {
	case errors.Is(err, errShort):
		c.AbortWithStatus(http.StatusConflict)
	case err != nil:
		c.AbortWithStatus(http.StatusServiceUnavailable)
	case answer == nil:
		s.replay(c, identity, fingerprint)
	default:
		c.Data(http.StatusCreated, "application/json", answer)
	}
}

func (s *service) set(c *gin.Context) {
	var level struct {
		Set int64 `json:"set"`
	}
	if c.BindJSON(&level) != nil {
		return
	}
	_, err := s.store.Exec(c, `INSERT INTO stock VALUES ($1, $2, 0, 0) ON CONFLICT (sku) DO UPDATE
		SET available = $2 - stock.reserved - stock.sold`, c.Param("sku"), level.Set)
	if err != nil {
		c.AbortWithStatus(http.StatusServiceUnavailable)
		return
	}
	c.Status(http.StatusOK)
}

func main() {
	ctx := context.Background()
	store, err := pgxpool.New(ctx, os.Getenv("POSTGRES"))
	if err != nil {
		log.Fatal(err)
	}
	if _, err = store.Exec(ctx, schema); err != nil {
		log.Fatal(err)
	}
	s := &service{store}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.GET("/", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	router.POST("/v1/flows/bench", s.create)
	router.POST("/v1/stock/:sku", s.set)
	log.Fatal(http.ListenAndServe(os.Getenv("LISTEN"), router))
}
