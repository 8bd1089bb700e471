// SQLite for the program in a browser, which writes and reads traces (export/trace_file.h) with it: a module of its own (sqlite.wasm),
// that only who saves or opens a trace loads, as Module.sqlite, before the first call. Each function of SQLite that the program calls is
// here; texts and bytes are copied from one module's memory into the other's. Tests: tests/page/handout_test.py, tests/page/page_test.py
addToLibrary({
  $sqliteMemory__deps: ["malloc", "free"],
  $sqliteMemory: {
    place: 0,
    room: 0,
    held: [],
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
    lend: (pointer, size) => {
      const at = sqliteMemory.scratch(size + 1);
      Module.sqlite.HEAPU8.set(HEAPU8.subarray(pointer, pointer + size), at);
      Module.sqlite.HEAPU8[at + size] = 0;
      return at;
    },
    lendText: (pointer) => sqliteMemory.lend(pointer, HEAPU8.indexOf(0, pointer) - pointer),
    // SQLite's bytes in the program's memory; null stays null.
    take: (pointer, size) => {
      if (!pointer) return 0;
      const at = _malloc(size + 1);
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
  },

  sqlite3_open__deps: ["$sqliteMemory"],
  sqlite3_open: (name, handle) => {
    const at = Module.sqlite._malloc(4);
    const status = Module.sqlite._sqlite3_open(sqliteMemory.lendText(name), at);
    sqliteMemory.put(handle, sqliteMemory.number(at));
    Module.sqlite._free(at);
    return status;
  },
  // Files are the program's alone: a path is read as bytes and deserialized.
  sqlite3_open_v2: () => 14 /* SQLITE_CANTOPEN */,
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
  // SQLite frees its copy of the bytes when the database is closed.
  sqlite3_deserialize__deps: ["$sqliteMemory"],
  sqlite3_deserialize: (handle, schema, bytes, low, high, room_low, room_high, flags) => {
    const at = Module.sqlite._sqlite3_malloc(low);
    Module.sqlite.HEAPU8.set(HEAPU8.subarray(bytes, bytes + low), at);
    return Module.sqlite._sqlite3_deserialize(handle, sqliteMemory.lendText(schema), at, low, 0, low, 0, flags | 1);
  },
});
