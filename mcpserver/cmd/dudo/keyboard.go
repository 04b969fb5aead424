package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// keyboard is what is typed at a terminal, line by line.
type keyboard struct{ lines *bufio.Scanner }

func newKeyboard(in io.Reader) keyboard { return keyboard{bufio.NewScanner(in)} }

var errQuit = errors.New("the player stopped")

// read takes a line, or the end of the game when there is no more or the program is to stop.
func (k keyboard) read(ctx context.Context) (string, error) {
	lines := make(chan string, 1)
	go func() {
		defer close(lines)
		if k.lines.Scan() {
			lines <- k.lines.Text()
		}
	}()
	select {
	case line, ok := <-lines:
		if line = strings.ToLower(strings.TrimSpace(line)); !ok || line == "quit" || line == "q" {
			return "", errQuit
		}
		return line, nil
	case <-ctx.Done():
		return "", errQuit
	}
}
