package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"dudo.example/core/record"
)

// Options tune a store. The zero value is right for a server.
type Options struct {
	// Log is where the store tells the operator of trouble; nil for nowhere.
	// It never holds a line, a name or a private value.
	Log *slog.Logger

	// FloorNew and Floor are bytes free on the disk below which new tables,
	// and then all appends, are refused. 0 stands for DefaultFloorNew and
	// DefaultFloor. What makes room (Expire, Delete, the sweeper) goes on
	// down to half of Floor, and Open needs a quarter.
	FloorNew, Floor uint64

	// Free tells how many bytes are free for the folder; nil asks the system.
	// It is asked once a batch.
	Free func(folder string) (uint64, error)

	// Sweep is how often the sweeper looks for what expired tables left
	// behind; 0 stands for ten minutes.
	Sweep time.Duration

	// Observe, if not nil, is told of every batch that was committed. The
	// committer calls it, so it must be quick.
	Observe func(Batch)
}

// Floors of free space, in bytes, if Options names none.
const (
	DefaultFloorNew = 512 << 20
	DefaultFloor    = 256 << 20
)

// Batch says what one transaction, and so one sync, was shared by.
type Batch struct {
	Appends int           // calls of Append and AppendPrivate that it committed
	Lines   int           // lines of these
	Bytes   int           // bytes of these lines
	Took    time.Duration // from the transaction's start until it was on disk
}

// ErrInUse is the error of Open when another process has the data folder.
var ErrInUse = errors.New("the data folder is in use by another process")

// Store is a [record.Store] on disk. Methods are safe for concurrent use.
type Store struct {
	dir      string
	o        Options
	db       *badger.DB
	unlock   func() error
	watchers record.Watchers
	queue    queue
	places   *places
	syncDir  dirSync
	failed   failure

	sweep chan struct{} // holds one: a table was deleted
	stop  context.CancelFunc
	wg    sync.WaitGroup

	use    sync.RWMutex // held for reading by whoever is inside db
	closed bool
}

var _ record.Store = (*Store)(nil)

// Open opens the store in the data folder dir, which it creates if need be.
// It fails with ErrInUse if another process has the folder, with
// record.ErrFull if the disk is too full to start, and with an error that
// names the folder if what is in there cannot be read.
func Open(dir string, o Options) (*Store, error) {
	o = o.withDefaults()
	if err := ensureFolder(dir); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{
		dir: dir, o: o, unlock: unlock,
		places: newPlaces(),
		sweep:  make(chan struct{}, 1),
	}
	s.queue.kick = make(chan struct{}, 1)
	if err := s.open(); err != nil {
		return nil, errors.Join(err, unlock())
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.wg.Go(func() { s.commitLoop(ctx) })
	s.wg.Go(func() { s.sweepLoop(ctx) })
	return s, nil
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.FloorNew == 0 {
		o.FloorNew = DefaultFloorNew
	}
	if o.Floor == 0 {
		o.Floor = DefaultFloor
	}
	if o.Free == nil {
		o.Free = freeBytes
	}
	if o.Sweep <= 0 {
		o.Sweep = 10 * time.Minute
	}
	return o
}

func (s *Store) open() error {
	var err error
	if err := s.room(s.o.Floor / 4); err != nil {
		return err
	}
	folder := filepath.Join(s.dir, "log")
	if err := ensureFolder(folder); err != nil {
		return err
	}
	if err := tightenFiles(folder); err != nil {
		return err
	}
	if err := checkFiles(folder); err != nil {
		return fmt.Errorf("the log in %s is damaged, restore a backup: %w", folder, err)
	}
	s.db, err = badger.Open(badgerOptions(folder, s.o.Log))
	if err != nil {
		return fmt.Errorf("the log in %s cannot be opened (if it is damaged, restore a backup): %w", folder, err)
	}
	s.syncDir.folder = folder
	return nil
}

const compression = options.Snappy

// badgerOptions are for a small server: two write buffers of 8 MiB, caches of
// 8 MiB, and every value beside its key, so that there is never a value log to
// collect garbage from. At most eight flushed buffers wait to be compacted,
// which bounds the room that a compaction takes before it gives some back.
func badgerOptions(folder string, log *slog.Logger) badger.Options {
	return badger.DefaultOptions(folder).
		WithLogger(logger{log}).
		WithSyncWrites(true).
		WithDetectConflicts(false). // the committer is the only writer
		WithMetricsEnabled(false).
		WithMemTableSize(8 << 20).
		WithBaseTableSize(1 << 20).
		WithNumMemtables(2).
		WithNumCompactors(2).
		WithNumLevelZeroTables(4).
		WithNumLevelZeroTablesStall(8).
		WithNumGoroutines(2).
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(8 << 20).
		WithCompression(compression).
		WithValueThreshold(1 << 20).
		WithValueLogFileSize(16 << 20).
		WithChecksumVerificationMode(options.OnBlockRead) // checkFiles has seen the tables
}

// Close lets the batch in progress end, refuses what still waits with
// record.ErrClosed, ends every watch and closes the files. A second call does
// nothing.
func (s *Store) Close() error {
	s.use.Lock()
	if s.closed {
		s.use.Unlock()
		return nil
	}
	s.closed = true
	s.use.Unlock() // whoever was inside db has left it, and nobody enters
	s.stop()
	s.wg.Wait()
	s.watchers.Close()
	err := s.closeDB()
	if err != nil {
		err = fmt.Errorf("close the log in %s: %w", s.dir, err)
	}
	return errors.Join(err, s.unlock())
}

// closeTime is how long the database has to close. Without a disk to write to it would try for ever; what was acknowledged is on
// disk before.
const closeTime = 10 * time.Second

func (s *Store) closeDB() error {
	done := make(chan error, 1)
	go func() { done <- s.db.Close() }()
	select {
	case err := <-done:
		return err
	case <-time.After(closeTime):
		return fmt.Errorf("it is not done after %v; nothing that was acknowledged is lost", closeTime)
	}
}

// Health is nil while the store takes appends. It is record.ErrFull when there
// is no room for them, and another error when the store has failed and
// must be opened again.
func (s *Store) Health() error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := s.failed.get(); err != nil {
		return err
	}
	return s.room(s.o.Floor)
}

// Watch is Log's.
func (s *Store) Watch(ctx context.Context) (<-chan record.Wake, error) {
	return s.watchers.Watch(ctx)
}

// enter keeps the database open until the function it returns is called.
func (s *Store) enter() (leave func(), err error) {
	s.use.RLock()
	if s.closed {
		s.use.RUnlock()
		return nil, record.ErrClosed
	}
	return s.use.RUnlock, nil
}

func ensureFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder needs its x
		return fmt.Errorf("make the data folder private: %w", err)
	}
	return nil
}

// tightenFiles makes files that an earlier run or another hand left readable
// for others private.
func tightenFiles(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("read the data folder: %w", err)
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if err := os.Chmod(filepath.Join(folder, e.Name()), 0o600); err != nil {
			return fmt.Errorf("make a data file private: %w", err)
		}
	}
	return nil
}

// failure holds the first write error; after it nothing more is written.
type failure struct {
	mu  sync.Mutex
	err error
}

func (f *failure) set(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = fmt.Errorf("the store failed and must be opened again: %w", err)
	}
}

func (f *failure) get() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
