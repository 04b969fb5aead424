// Package client calls a dudo server's tools over HTTP, the bare way: one POST a call, no handshake, no session. Programs of
// this project that play (smoke, load) use it; agents use an MCP client.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxReply bounds an answer; a record is the longest.
const maxReply = 5 << 20

// Client calls one server. It may be shared.
type Client struct {
	base string
	http *http.Client
}

// New makes a client of the server at an address such as http://127.0.0.1:8787. conns is how many connections it keeps.
func New(base string, conns int) *Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = conns, conns
	base = strings.TrimSuffix(strings.TrimSuffix(base, "/"), "/mcp")
	return &Client{base: base, http: &http.Client{Transport: t, Timeout: time.Minute}}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Refusal is a tool's no: the sentence that an agent reads, and its code.
type Refusal struct{ Code, Sentence string }

func (r *Refusal) Error() string { return r.Sentence }

// RateError is an answer of 429: the address has asked too often.
type RateError struct{ After time.Duration }

func (e *RateError) Error() string {
	return fmt.Sprintf("the server's limit of requests is reached; it asks to wait %v", e.After)
}

// StatusError is an answer with a status that no answer of a tool has.
type StatusError struct {
	Code int
	Text string // the start of the body
}

func (e *StatusError) Error() string { return fmt.Sprintf("the server says %d: %s", e.Code, e.Text) }

type reply struct {
	Result *struct {
		Content []struct{ Text string }
		IsError bool
		Meta    struct{ Code string } `json:"_meta"`
	}
	Error *struct {
		Code    int
		Message string
	}
}

// Call calls a tool and reads its result into out. The error is a [*Refusal], a [*RateError], a
// [*StatusError], or that of the connection.
func (c *Client) Call(ctx context.Context, tool string, args map[string]any, out any) error {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		return fmt.Errorf("call %s: %w", tool, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/mcp", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("call %s: %w", tool, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	text, err := c.do(req)
	if err != nil {
		return fmt.Errorf("call %s: %w", tool, err)
	}
	var r reply
	switch err := json.Unmarshal(text, &r); {
	case err != nil:
		return fmt.Errorf("call %s: the answer is not JSON: %w", tool, err)
	case r.Error != nil:
		return fmt.Errorf("call %s: %d %s", tool, r.Error.Code, r.Error.Message)
	case r.Result == nil || len(r.Result.Content) != 1:
		return fmt.Errorf("call %s: the answer has no text", tool)
	case r.Result.IsError:
		return &Refusal{Code: r.Result.Meta.Code, Sentence: r.Result.Content[0].Text}
	}
	if err := json.Unmarshal([]byte(r.Result.Content[0].Text), out); err != nil {
		return fmt.Errorf("call %s: its result is not JSON: %w", tool, err)
	}
	return nil
}

// Record downloads a table's record.
func (c *Client) Record(ctx context.Context, table string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/record/"+table, nil)
	if err != nil {
		return nil, fmt.Errorf("download the record: %w", err)
	}
	text, err := c.do(req)
	if err != nil {
		return nil, fmt.Errorf("download the record: %w", err)
	}
	return text, nil
}

// Health asks whether the server answers.
func (c *Client) Health(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/healthz", nil)
	if err != nil {
		return err
	}
	_, err = c.do(req)
	return err
}

func (c *Client) do(req *http.Request) ([]byte, error) {
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxReply:
		return nil, errors.New("the answer is too long")
	case res.StatusCode == http.StatusTooManyRequests:
		after, err := strconv.Atoi(res.Header.Get("Retry-After"))
		if err != nil {
			after = 1
		}
		return nil, &RateError{time.Duration(after) * time.Second}
	case res.StatusCode != http.StatusOK:
		return nil, &StatusError{res.StatusCode, fmt.Sprintf("%.200s", text)}
	}
	return text, nil
}
