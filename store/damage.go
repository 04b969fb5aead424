package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
)

// checkFiles looks for damage in the files of a closed database. Badger alone
// would not be enough: on some damage it panics in a goroutine of its own, and
// some it takes for the rest of a crash and goes on without what it cannot
// read. What no check finds is a write-ahead log that somebody cut or took away,
// or a folder set back to an older state. It takes away empty logs that a kill has
// left.
func checkFiles(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var tables, wals, values []string
	crashed := false
	for _, e := range entries { // in the order of their names, and so of their age
		switch path := filepath.Join(folder, e.Name()); filepath.Ext(path) {
		case ".sst":
			tables = append(tables, path)
		case ".mem":
			wals = append(wals, path)
		case ".vlog":
			values = append(values, path)
		}
		// Close removes both.
		crashed = crashed || e.Name() == "LOCK" || filepath.Ext(e.Name()) == ".mem"
	}
	if wals, err = dropEmpty(wals); err != nil {
		return err
	}
	if _, err := dropEmpty(values); err != nil {
		return err
	}
	if len(tables) > 0 {
		if err := checkTables(folder, tables, crashed); err != nil {
			return err
		}
	}
	for i, path := range wals {
		if err := checkWAL(path, i == len(wals)-1); err != nil {
			return err
		}
	}
	return nil
}

// dropEmpty takes away the log files that are empty. A kill leaves one between
// the making of a file and its first byte, or between the emptying of a file
// that is no longer needed and its removal. Badger would not open the database
// with it.
func dropEmpty(paths []string) (left []string, err error) {
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || info.Size() > 0 {
			left = append(left, path)
			continue
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// checkTables checks the tables that the manifest names. After a crash there may
// be others, half written. Without a crash there are none, unless the manifest was cut; Badger would then remove them.
func checkTables(folder string, paths []string, crashed bool) error {
	f, err := os.Open(filepath.Join(folder, badger.ManifestFilename))
	if err != nil {
		return err
	}
	manifest, _, err := badger.ReplayManifestFile(f, 0, badgerOptions(folder, slog.New(slog.DiscardHandler)))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	for _, path := range paths {
		id, _ := table.ParseFileID(path)
		if _, named := manifest.Tables[id]; named {
			err = checkTable(path)
		} else if !crashed {
			err = fmt.Errorf("%s does not name %s", f.Name(), path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkTable reads a table as Badger will, every block of it.
func checkTable(path string) (err error) {
	f, err := openMapped(path)
	if err != nil || f == nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: not a whole table", path)
		}
		err = errors.Join(err, f.Close(-1))
	}()
	if err := checkFooter(f.Data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	t, err := table.OpenTable(f, table.Options{Compression: compression, BlockSize: 4096, ChkMode: options.NoVerification})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := t.VerifyChecksum(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// checkFooter looks at two lengths at a table's end, on which Badger would end
// the process.
func checkFooter(data []byte) error {
	rest := len(data)
	for _, what := range []string{"checksum", "index"} {
		rest -= 4
		if rest < 0 {
			return errors.New("the table is cut short")
		}
		n := int(uint32(data[rest])<<24 | uint32(data[rest+1])<<16 | uint32(data[rest+2])<<8 | uint32(data[rest+3]))
		if rest -= n; rest < 0 {
			return fmt.Errorf("the table's %s has an impossible length", what)
		}
	}
	return nil
}

// openMapped maps a file for reading. It is nil for an empty one.
// Badger says what there is to say of an empty table.
func openMapped(path string) (*z.MmapFile, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if info.Size() == 0 {
		return nil, nil
	}
	return z.OpenMmapFile(path, os.O_RDONLY, 0)
}

// checkWAL looks whether a write-ahead log ends where a crash may have left it.
// A crash cuts at most the transaction that was being written, which nobody was
// told of, and only in the newest log. If whole transactions follow what cannot
// be read, then the log was damaged later, and Badger would drop them.
func checkWAL(path string, newest bool) error {
	f, err := openMapped(path)
	if err != nil || f == nil {
		return err
	}
	end, last := walEnd(f.Data)
	cut := walMarks(f.Data[end:])
	cut = slices.DeleteFunc(cut, func(n uint64) bool { return n <= last })
	allowed := 0
	if newest {
		allowed = 1
	}
	err = f.Close(-1)
	if len(cut) > allowed {
		err = errors.Join(err, fmt.Errorf("%s: what follows byte %d cannot be read, and %d transactions are behind it", path, end, len(cut)))
	}
	return err
}
