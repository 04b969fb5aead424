package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// prefix begins the names of the files that are bots.
const prefix = "dudo-bot-"

// maxBots bounds the bots of a folder.
const maxBots = 200

// validName is the form of a bot's name.
var validName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,24}$`)

// Info is a bot as the host knows it.
type Info struct {
	// Name is the name by which players ask for the bot, without dudo-bot-.
	Name string
	// Version and Games are what the bot says about itself; empty until its
	// process has been started once. No Games means any.
	Version string
	Games   []string
	// SHA256 is the checksum of the bot's file, in hexadecimal.
	SHA256 string
	// House says that the bot is dudo's own.
	House bool
}

// program is a bot's file.
type program struct {
	info Info
	path string
	args []string
	sum  []byte
}

// find lists the bots of a host: house bots first, then those of the folder.
// A file that cannot be a bot is left out and the log says why.
func find(o Options) ([]program, error) {
	var found []program
	names := make(map[string]bool)
	for _, h := range o.House {
		if !validName.MatchString(h.Name) || names[h.Name] {
			return nil, fmt.Errorf("house bot %q: the name must be unique and of 1 to 24 letters, digits, points, dashes and underscores", h.Name)
		}
		path, err := filepath.Abs(h.Path)
		if err != nil {
			return nil, fmt.Errorf("house bot %s: %w", h.Name, err)
		}
		sum, err := checksum(path)
		if err != nil {
			return nil, fmt.Errorf("house bot %s: %w", h.Name, err)
		}
		names[h.Name] = true
		found = append(found, newProgram(h.Name, path, h.Args, sum, true))
	}
	if o.Dir == "" {
		return found, nil
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("plugins folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("plugins folder: %w", err)
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
		sum, err := admit(name, path)
		switch {
		case err != nil:
		case names[name]:
			err = errors.New("a house bot has this name")
		case len(names) >= maxBots:
			err = fmt.Errorf("there are more than %d bots", maxBots)
		}
		if err != nil {
			o.Log.Warn("not a bot", slog.String("file", path), slog.Any("err", err))
			continue
		}
		names[name] = true
		found = append(found, newProgram(name, path, nil, sum, false))
	}
	return found, nil
}

func newProgram(name, path string, args []string, sum []byte, house bool) program {
	return program{
		info: Info{Name: name, SHA256: hex.EncodeToString(sum), House: house},
		path: path, args: args, sum: sum,
	}
}

// admit says whether a file may be a bot, and its checksum.
func admit(name, path string) ([]byte, error) {
	if !validName.MatchString(name) {
		return nil, errors.New("the name after dudo-bot- must be of 1 to 24 letters, digits, points, dashes and underscores")
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file; links are not followed")
	case info.Mode().Perm()&0o111 == 0:
		return nil, errors.New("it is not executable")
	case info.Mode().Perm()&0o002 != 0:
		return nil, errors.New("everybody may write to it")
	}
	return checksum(path)
}

// checksum is the SHA-256 of a file.
func checksum(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, fmt.Errorf("checksum of %s: %w", path, err)
	}
	return h.Sum(nil), nil
}
