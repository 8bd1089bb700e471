// SQLite for the program in a browser, which writes and reads traces (export/trace_file.h) with it: a module of its own (sqlite.wasm),
// that only who saves or opens a trace loads, as Module.sqlite of its thread, before the first call. Each function of SQLite that the program calls is
// here; texts and bytes are copied from one module's memory into the other's. Tests: tests/page/handout_test.py, tests/page/work_test.py,
// tests/page/trace_test.py
addToLibrary({
  $sqliteMemory__deps: ["malloc", "free"],
  $sqliteMemory: {
    place: 0,
    room: 0,
    held: [],
    isFull: false,  // the program's memory had no room for what SQLite has
    // A place in SQLite's memory for one call.
    scratch: (size) => {
      if (size > sqliteMemory.room) {
        Module.sqlite._free(sqliteMemory.place);
        sqliteMemory.room = size + 4096;
        sqliteMemory.place = Module.sqlite._malloc(sqliteMemory.room);
      }
      return sqliteMemory.place;
    },
    // The program's bytes there.
    lend: (pointer, size) => sqliteMemory.lendBytes(HEAPU8.subarray(pointer, pointer + size)),
    lendBytes: (bytes) => {
      const at = sqliteMemory.scratch(bytes.length + 1);
      Module.sqlite.HEAPU8.set(bytes, at);
      Module.sqlite.HEAPU8[at + bytes.length] = 0;
      return at;
    },
    lendWord: (word) => sqliteMemory.lendBytes(Uint8Array.from(word, (letter) => letter.charCodeAt(0))),
    lendText: (pointer) => sqliteMemory.lend(pointer, HEAPU8.indexOf(0, pointer) - pointer),
    // SQLite's bytes in the program's memory; null stays null.
    take: (pointer, size) => {
      if (!pointer) return 0;
      const at = _malloc(size + 1);
      if (!at) sqliteMemory.isFull = true;
      if (!at) return 0;
      HEAPU8.set(Module.sqlite.HEAPU8.subarray(pointer, pointer + size), at);
      HEAPU8[at + size] = 0;
      return at;
    },
    // The same until the next step of a statement.
    hold: (pointer, size) => {
      const at = sqliteMemory.take(pointer, size);
      if (at) sqliteMemory.held.push(at);
      return at;
    },
    release: () => {
      for (const at of sqliteMemory.held) _free(at);
      sqliteMemory.held = [];
    },
    number: (pointer) => new DataView(Module.sqlite.HEAPU8.buffer).getInt32(pointer, true),
    put: (pointer, number) => new DataView(HEAPU8.buffer).setInt32(pointer, number, true),
    // `name`: of a database, in SQLite's memory.
    open: (name, handle) => {
      const at = Module.sqlite._malloc(4);
      const status = Module.sqlite._sqlite3_open(name, at);
      sqliteMemory.put(handle, sqliteMemory.number(at));
      Module.sqlite._free(at);
      return status;
    },
    // Makes a copy of the bytes the content of the database, which frees it when it is closed.
    fill: (handle, bytes, flags) => {
      const at = Module.sqlite._sqlite3_malloc(bytes.length);
      if (!at && bytes.length > 0) return 7 /* SQLITE_NOMEM */;
      Module.sqlite.HEAPU8.set(bytes, at);
      return Module.sqlite._sqlite3_deserialize(handle, sqliteMemory.lendWord("main"), at, bytes.length, 0, bytes.length, 0,
        flags | 1 /* SQLITE_DESERIALIZE_FREEONCLOSE */);
    },
  },

  sqlite3_open__deps: ["$sqliteMemory"],
  sqlite3_open: (name, handle) => sqliteMemory.open(sqliteMemory.lendText(name), handle),
  // The file's bytes in the program's memory, for any thread: files are those of the thread that draws. A null pointer where the file
  // cannot be read, with a size of 0, or where memory has no room for it.
  lanescope_file__deps: ["$sqliteMemory", "$FS", "$UTF8ToString", "malloc"],
  lanescope_file__proxy: "sync",
  lanescope_file__sig: "ppp",
  lanescope_file: (name, size) => {
    sqliteMemory.put(size, 0);
    try {
      const stream = FS.open(UTF8ToString(name), "r");
      const length = FS.llseek(stream, 0, 2 /* SEEK_END */);
      const at = _malloc(length + 1);
      sqliteMemory.put(size, length);
      if (at) FS.read(stream, HEAPU8, at, length, 0);
      FS.close(stream);
      return at;
    } catch {
      return 0;
    }
  },
  // Files are the program's alone: one is read whole, and never written.
  sqlite3_open_v2__deps: ["$sqliteMemory", "lanescope_file", "free"],
  sqlite3_open_v2: (name, handle) => {
    const bytes = _lanescope_file(name, handle);
    const size = new DataView(HEAPU8.buffer).getInt32(handle, true);
    sqliteMemory.put(handle, 0);
    if (!bytes) return size ? 7 /* SQLITE_NOMEM */ : 14 /* SQLITE_CANTOPEN */;
    try {
      const status = sqliteMemory.open(sqliteMemory.lendWord(":memory:"), handle);
      const database = new DataView(HEAPU8.buffer).getInt32(handle, true);
      return status || sqliteMemory.fill(database, HEAPU8.subarray(bytes, bytes + size), 4 /* SQLITE_DESERIALIZE_READONLY */);
    } catch (error) {
      return error instanceof RangeError ? 7 /* SQLITE_NOMEM */ : 14 /* SQLITE_CANTOPEN */;
    } finally {
      _free(bytes);
    }
  },
  sqlite3_close: (handle) => Module.sqlite._sqlite3_close(handle),
  sqlite3_exec__deps: ["$sqliteMemory"],
  sqlite3_exec: (handle, sql) => Module.sqlite._sqlite3_exec(handle, sqliteMemory.lendText(sql), 0, 0, 0),
  sqlite3_limit: (handle, id, value) => Module.sqlite._sqlite3_limit(handle, id, value),
  // With a number and no place for the answer, which stand behind each other in memory, as C's functions of any count have them.
  sqlite3_db_config__deps: ["$sqliteMemory"],
  sqlite3_db_config: (handle, option, values) => Module.sqlite._sqlite3_db_config(handle, option, sqliteMemory.lend(values, 8)),
  sqlite3_errmsg__deps: ["$sqliteMemory"],
  sqlite3_errmsg: (handle) => {
    const text = Module.sqlite._sqlite3_errmsg(handle);
    return sqliteMemory.hold(text, Module.sqlite.HEAPU8.indexOf(0, text) - text);
  },

  sqlite3_prepare_v2__deps: ["$sqliteMemory"],
  sqlite3_prepare_v2: (handle, sql, size, statement) => {
    const at = Module.sqlite._malloc(4);
    const status = Module.sqlite._sqlite3_prepare_v2(handle, sqliteMemory.lendText(sql), size, at, 0);
    sqliteMemory.put(statement, sqliteMemory.number(at));
    Module.sqlite._free(at);
    return status;
  },
  sqlite3_step__deps: ["$sqliteMemory"],
  sqlite3_step: (statement) => {
    sqliteMemory.release();
    if (sqliteMemory.isFull) {
      sqliteMemory.isFull = false;
      return 7 /* SQLITE_NOMEM */;
    }
    return Module.sqlite._sqlite3_step(statement);
  },
  sqlite3_reset: (statement) => Module.sqlite._sqlite3_reset(statement),
  sqlite3_finalize: (statement) => Module.sqlite._sqlite3_finalize(statement),

  sqlite3_bind_null: (statement, column) => Module.sqlite._sqlite3_bind_null(statement, column),
  // Numbers of 64 bits are two of 32, the low one first.
  sqlite3_bind_int64: (statement, column, low, high) => Module.sqlite._sqlite3_bind_int64(statement, column, low, high),
  sqlite3_bind_text__deps: ["$sqliteMemory"],
  sqlite3_bind_text: (statement, column, text, size) =>
    Module.sqlite._sqlite3_bind_text(statement, column, sqliteMemory.lend(text, size), size, -1 /* SQLITE_TRANSIENT */),
  sqlite3_bind_blob__deps: ["$sqliteMemory"],
  sqlite3_bind_blob: (statement, column, bytes, size) =>
    Module.sqlite._sqlite3_bind_blob(statement, column, sqliteMemory.lend(bytes, size), size, -1 /* SQLITE_TRANSIENT */),

  sqlite3_column_type: (statement, column) => Module.sqlite._sqlite3_column_type(statement, column),
  sqlite3_column_bytes: (statement, column) => Module.sqlite._sqlite3_column_bytes(statement, column),
  sqlite3_column_int64__deps: ["setTempRet0"],
  sqlite3_column_int64: (statement, column) => {
    const low = Module.sqlite._sqlite3_column_int64(statement, column);
    setTempRet0(Module.sqlite.getTempRet0());
    return low;
  },
  sqlite3_column_text__deps: ["$sqliteMemory"],
  sqlite3_column_text: (statement, column) =>
    sqliteMemory.hold(Module.sqlite._sqlite3_column_text(statement, column), Module.sqlite._sqlite3_column_bytes(statement, column)),
  sqlite3_column_blob__deps: ["$sqliteMemory"],
  sqlite3_column_blob: (statement, column) =>
    sqliteMemory.hold(Module.sqlite._sqlite3_column_blob(statement, column), Module.sqlite._sqlite3_column_bytes(statement, column)),

  sqlite3_serialize__deps: ["$sqliteMemory"],
  sqlite3_serialize: (handle, schema, size, flags) => {
    const at = Module.sqlite._malloc(8);
    const bytes = Module.sqlite._sqlite3_serialize(handle, sqliteMemory.lendText(schema), at, flags);
    const count = bytes ? sqliteMemory.number(at) : 0;
    const own = sqliteMemory.take(bytes, count);
    sqliteMemory.put(size, count);
    sqliteMemory.put(size + 4, 0);
    Module.sqlite._free(at);
    Module.sqlite._sqlite3_free(bytes);
    return own;
  },
  sqlite3_free__deps: ["free"],
  sqlite3_free: (own) => _free(own),
  // Of "main" alone, which is what the program fills.
  sqlite3_deserialize__deps: ["$sqliteMemory"],
  sqlite3_deserialize: (handle, schema, bytes, low, high, room_low, room_high, flags) =>
    sqliteMemory.fill(handle, HEAPU8.subarray(bytes, bytes + low), flags),
});
