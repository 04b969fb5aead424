package rulebook

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dudo.example/rules"
)

// maxFile is more than any rule file may have, so that one that is too large is refused by its reader.
const maxFile = 1 << 20

// Text reads the bytes of a rule file, or so many that its reader refuses them.
func Text(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no file")} // a pipe would be waited for
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, maxFile))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return text, nil
}

// parse reads and checks a rule file, its worked examples included.
func parse(path string, text []byte) (*rules.File, []error) {
	f, err := rules.Parse(path, text)
	if err != nil {
		return nil, []error{err}
	}
	return f, f.Check()
}
