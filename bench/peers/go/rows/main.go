// SPDX-License-Identifier: Apache-2.0

// A proxy that keeps the promise the way Pawl does, on PostgreSQL: a claim is committed before the request goes
// to the upstream, the answer is committed before it goes to the client, and a repeat is answered from the row.
// The row has what Pawl's has. No lease is renewed and nothing is ever settled: only the good path is measured.
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
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const schema = `
CREATE SEQUENCE IF NOT EXISTS fence;
CREATE TABLE IF NOT EXISTS record (
	identity bytea PRIMARY KEY, fingerprint bytea NOT NULL, rule bytea NOT NULL, claim bytea NOT NULL,
	fence bigint NOT NULL, state smallint NOT NULL, owner text NOT NULL, lease_until bigint NOT NULL,
	created_ms bigint NOT NULL, settled_ms bigint, result_until bigint, key_until bigint, attempts int NOT NULL,
	tenant text NOT NULL, caller bytea NOT NULL, operation text NOT NULL, key_label text NOT NULL,
	trace_id text NOT NULL, status smallint, headers bytea, body bytea, digest bytea)`

const (
	inProgress = 1
	completed  = 2
	lease      = 30 * time.Second
	result     = 24 * time.Hour
	tombstone  = 400 * 24 * time.Hour
)

type proxy struct {
	store    *pgxpool.Pool
	upstream string
	client   *http.Client
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

func (p *proxy) replay(c *gin.Context, identity, fingerprint []byte) (found bool) {
	var state, status *int16
	var first, headers, body []byte
	err := p.store.QueryRow(c, `SELECT fingerprint, state, status, headers, body FROM record WHERE identity = $1`,
		identity).Scan(&first, &state, &status, &headers, &body)
	if errors.Is(err, pgx.ErrNoRows) {
		return false
	}
	switch {
	case err != nil:
		c.AbortWithStatus(http.StatusServiceUnavailable)
	case !bytes.Equal(first, fingerprint):
		c.AbortWithStatus(http.StatusUnprocessableEntity)
	case *state != completed:
		c.AbortWithStatus(http.StatusConflict)
	default:
		var kept map[string]string
		_ = json.Unmarshal(headers, &kept)
		c.Header("Idempotent-Replayed", "true")
		c.Data(int(*status), kept["Content-Type"], body)
	}
	return true
}

func (p *proxy) once(c *gin.Context) {
	key, caller := c.GetHeader("Idempotency-Key"), c.GetHeader("X-User")
	body, err := c.GetRawData()
	if err != nil || key == "" || caller == "" {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	identity := digest("", caller, c.FullPath(), key)
	fingerprint := digest(c.Request.Method, c.Request.RequestURI, string(body))
	if p.replay(c, identity, fingerprint) {
		return
	}
	claim := make([]byte, 16)
	rand.Read(claim)
	now := time.Now()
	done, err := p.store.Exec(c, `INSERT INTO record (identity, fingerprint, rule, claim, fence, state, owner,
		lease_until, created_ms, attempts, tenant, caller, operation, key_label, trace_id)
		VALUES ($1, $2, $3, $4, nextval('fence'), $5, 'node:1', $6, $7, 1, '', $8, $9, $10, $11)
		ON CONFLICT DO NOTHING`, identity, fingerprint, digest("raw"), claim, inProgress,
		now.Add(lease).UnixMilli(), now.UnixMilli(), digest("", caller), c.FullPath(), key,
		"0af7651916cd43dd8448eb211c80319c")
	if err != nil {
		c.AbortWithStatus(http.StatusServiceUnavailable)
		return
	}
	if done.RowsAffected() == 0 {
		p.replay(c, identity, fingerprint)
		return
	}
	request, _ := http.NewRequestWithContext(context.WithoutCancel(c), c.Request.Method,
		p.upstream+c.Request.RequestURI, bytes.NewReader(body))
	request.Header = c.Request.Header.Clone()
	answer, err := p.client.Do(request)
	if err != nil {
		c.AbortWithStatus(http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		c.AbortWithStatus(http.StatusBadGateway)
		return
	}
	kind := answer.Header.Get("Content-Type")
	headers, _ := json.Marshal(map[string]string{"Content-Type": kind})
	ended := time.Now()
	_, err = p.store.Exec(context.WithoutCancel(c), `UPDATE record SET state = $3, settled_ms = $4, result_until = $5,
		key_until = $6, status = $7, headers = $8, body = $9, digest = $10 WHERE identity = $1 AND claim = $2`,
		identity, claim, completed, ended.UnixMilli(), ended.Add(result).UnixMilli(), ended.Add(tombstone).UnixMilli(),
		answer.StatusCode, headers, said, digest(string(said)))
	if err != nil {
		c.AbortWithStatus(http.StatusConflict)
		return
	}
	c.Data(answer.StatusCode, kind, said)
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
	p := &proxy{store, os.Getenv("UPSTREAM"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.GET("/", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	router.POST("/orders", p.once)
	log.Fatal(http.ListenAndServe(os.Getenv("LISTEN"), router))
}
