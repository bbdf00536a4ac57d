// Package valkeystore stores tasks in Valkey, or in Redis 6.2 or later, for servers on several machines.
//
// A program that calls [Use] accepts --tasks-store valkey://USER:PASSWORD@HOST:PORT/DB, and the schemes valkeys (with
// TLS), redis and rediss. A parameter prefix separates servers that share a database.
package valkeystore

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"github.com/jptool/jptool/sdk/tasks"
)

// Use adds the store to a server, which is a *sdk.Server.
func Use(server interface{ TaskStore(string, tasks.Opener) }) {
	for _, scheme := range []string{"valkey", "valkeys", "redis", "rediss"} {
		server.TaskStore(scheme, Open)
	}
}

// defaultPrefix is the prefix of keys if the address has none. The braces keep all keys in one slot of a cluster, as
// scripts require.
const defaultPrefix = "{jptool-tasks}"

// A store uses a hash for each task, and sorted sets of ids: the tasks that will be due, by that time, and those of
// each owner, by the time of their end.
type store struct {
	client valkey.Client
	prefix string
}

// Open opens the store with an address. Errors do not contain the address.
func Open(ctx context.Context, address string) (tasks.Store, error) {
	s := &store{prefix: defaultPrefix}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address of the store is not a URL")
	}
	query := u.Query()
	if prefix := query.Get("prefix"); prefix != "" {
		s.prefix = "{" + strings.Trim(prefix, "{}") + "}"
	}
	query.Del("prefix")
	u.RawQuery = query.Encode()
	o, err := valkey.ParseURL(u.String())
	if err != nil {
		return nil, errors.New("the address of the store must have the form valkey://USER:PASSWORD@HOST:PORT/DB")
	}
	o.DisableCache = true
	if s.client, err = valkey.NewClient(o); err != nil {
		return nil, err
	}
	if err := s.client.Do(ctx, s.client.B().Ping().Build()).Error(); err != nil {
		s.client.Close()
		return nil, err
	}
	return s, nil
}

func (s *store) task(id string) string     { return s.prefix + "task:" + id }
func (s *store) owner(owner string) string { return s.prefix + "owner:" + owner }
func (s *store) due() string               { return s.prefix + "due" }

// Scripts measure times with the clock of the server, in milliseconds since 1970.
const (
	now = `local t = redis.call("TIME"); local now = t[1] * 1000 + math.floor(t[2] / 1000); `
	// plan sets when a task is due: ARGV[1] is the id, KEYS[2] the set, and due the time from now, or 0.
	plan = `if due > 0 then redis.call("ZADD", KEYS[2], now + due - 1, ARGV[1]) ` +
		`else redis.call("ZREM", KEYS[2], ARGV[1]) end; `
)

// failures are the errors for negative results of scripts.
var failures = map[int64]error{
	-1: tasks.ErrNotFound, -2: tasks.ErrConflict, -3: tasks.ErrConflict, -4: tasks.ErrFull,
}

var (
	create = valkey.NewLuaScript(now + `
		if redis.call("EXISTS", KEYS[1]) == 1 then return -3 end
		redis.call("ZREMRANGEBYSCORE", KEYS[3], "-inf", now)
		if redis.call("ZCARD", KEYS[3]) >= tonumber(ARGV[6]) then return -4 end
		redis.call("HSET", KEYS[1], "v", 1, "o", ARGV[2], "d", ARGV[3])
		local life, due = tonumber(ARGV[5]), tonumber(ARGV[4])
		if life > 0 then redis.call("PEXPIRE", KEYS[1], life) end
		redis.call("ZADD", KEYS[3], life > 0 and now + life or "+inf", ARGV[1])
		local last = redis.call("ZRANGE", KEYS[3], -1, -1, "WITHSCORES")[2]
		if last == "inf" then redis.call("PERSIST", KEYS[3])
		else redis.call("PEXPIREAT", KEYS[3], last) end
		` + plan + `return 1`)
	update = valkey.NewLuaScript(now + `
		local v = redis.call("HGET", KEYS[1], "v")
		if not v then return -1 end
		if v ~= ARGV[2] then return -2 end
		redis.call("HSET", KEYS[1], "v", v + 1, "d", ARGV[3])
		local due = tonumber(ARGV[4])
		` + plan + `return 1`)
	// The task may have expired, so its entry is removed here.
	dueNow = valkey.NewLuaScript(now + `
		local all = {}
		for _, id in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", now, "LIMIT", 0, ARGV[2])) do
			local v = redis.call("HGET", ARGV[1] .. id, "v")
			if v then
				all[#all + 1] = id
				all[#all + 1] = v
			else redis.call("ZREM", KEYS[1], id) end
		end
		return all`)
	drop = valkey.NewLuaScript(`
		local o = redis.call("HGET", KEYS[1], "o")
		if o then redis.call("ZREM", ARGV[2] .. o, ARGV[1]) end
		redis.call("ZREM", KEYS[2], ARGV[1])
		return redis.call("DEL", KEYS[1])`)
	count = valkey.NewLuaScript(now + `return redis.call("ZCOUNT", KEYS[1], "(" .. now, "+inf")`)
)

// run runs a script whose result is a number.
func (s *store) run(ctx context.Context, script *valkey.Lua, keys, args []string) error {
	n, err := script.Exec(ctx, s.client, keys, args).AsInt64()
	if err != nil {
		return err
	}
	return failures[n]
}

// milliseconds rounds up, because 0 means never.
func milliseconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Millisecond-1)/time.Millisecond), 10)
}

func (s *store) Create(ctx context.Context, t tasks.Task, limit int) error {
	return s.run(ctx, create, []string{s.task(t.ID), s.due(), s.owner(t.Owner)}, []string{
		t.ID, t.Owner, string(t.Data), milliseconds(t.Due), milliseconds(t.Life), strconv.Itoa(limit),
	})
}

func (s *store) Get(ctx context.Context, id string) (tasks.Task, error) {
	fields, err := s.client.Do(ctx, s.client.B().Hgetall().Key(s.task(id)).Build()).AsStrMap()
	if err != nil {
		return tasks.Task{}, err
	}
	if len(fields) == 0 {
		return tasks.Task{}, tasks.ErrNotFound
	}
	version, err := strconv.ParseInt(fields["v"], 10, 64)
	return tasks.Task{ID: id, Owner: fields["o"], Data: []byte(fields["d"]), Version: version}, err
}

func (s *store) Update(ctx context.Context, t tasks.Task) error {
	return s.run(ctx, update, []string{s.task(t.ID), s.due()}, []string{
		t.ID, strconv.FormatInt(t.Version, 10), string(t.Data), milliseconds(t.Due),
	})
}

func (s *store) Due(ctx context.Context, limit int) ([]tasks.Task, error) {
	args := []string{s.task(""), strconv.Itoa(limit)}
	words, err := dueNow.Exec(ctx, s.client, []string{s.due()}, args).AsStrSlice()
	if err != nil {
		return nil, err
	}
	var all []tasks.Task
	for pair := range slices.Chunk(words, 2) {
		version, err := strconv.ParseInt(pair[1], 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, tasks.Task{ID: pair[0], Version: version})
	}
	return all, nil
}

func (s *store) Delete(ctx context.Context, id string) error {
	return drop.Exec(ctx, s.client, []string{s.task(id), s.due()}, []string{id, s.owner("")}).Error()
}

func (s *store) Count(ctx context.Context, owner string) (int, error) {
	n, err := count.Exec(ctx, s.client, []string{s.owner(owner)}, nil).AsInt64()
	return int(n), err
}

func (s *store) Close() error {
	s.client.Close()
	return nil
}
