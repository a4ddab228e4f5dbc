-- One file holds the whole state. Instants are milliseconds since 1970 (UTC), uuids 16 bytes.
-- `body` columns hold, as JSON, the fields that no rule ever searches; null fields are left out.

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE party (  -- a restaurant group
  id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, name TEXT NOT NULL, owner TEXT NOT NULL
);
CREATE TABLE restaurant (
  id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, group_id INTEGER NOT NULL REFERENCES party,
  closed_down INTEGER NOT NULL DEFAULT 0, plan TEXT NOT NULL
);
CREATE TABLE client (
  client_id TEXT PRIMARY KEY, name TEXT NOT NULL, secret TEXT NOT NULL, scopes TEXT NOT NULL,
  grants TEXT NOT NULL, audiences TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE reach (  -- what a client may see: a whole group, or one restaurant of it
  client_id TEXT NOT NULL, group_id INTEGER NOT NULL, restaurant_id INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (client_id, group_id, restaurant_id)
) WITHOUT ROWID;
CREATE TABLE token (
  digest BLOB PRIMARY KEY, client_id TEXT NOT NULL, scopes TEXT NOT NULL, issued INTEGER NOT NULL,
  expires INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE customer (
  id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, group_id INTEGER NOT NULL, email TEXT, phone TEXT,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE reservation (
  id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, restaurant_id INTEGER NOT NULL, customer_id INTEGER,
  meal INTEGER NOT NULL, party_size INTEGER NOT NULL, status TEXT NOT NULL, meal_status TEXT,
  channel TEXT NOT NULL, offer BLOB, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE TABLE review (
  id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, restaurant_id INTEGER NOT NULL,
  reservation_id INTEGER, customer_id INTEGER NOT NULL, meal INTEGER NOT NULL,
  is_valid INTEGER NOT NULL, comment_status TEXT, reply_status TEXT, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE override (
  id INTEGER PRIMARY KEY, restaurant_id INTEGER NOT NULL, day TEXT NOT NULL,
  first_minute INTEGER NOT NULL, last_minute INTEGER NOT NULL, is_open INTEGER NOT NULL
);
CREATE INDEX override_day ON override (restaurant_id, day);
CREATE TABLE call_record (
  call_id TEXT PRIMARY KEY, restaurant_id INTEGER NOT NULL, client_id TEXT NOT NULL,
  status TEXT NOT NULL, updated INTEGER NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE milestone (
  id INTEGER PRIMARY KEY, client_id TEXT NOT NULL, restaurant_id INTEGER NOT NULL,
  status TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE pos_instance (
  uuid BLOB PRIMARY KEY, api_key TEXT NOT NULL, body TEXT NOT NULL, logo BLOB
) WITHOUT ROWID;

CREATE TABLE pending (  -- what the service will do by itself later: decide, moderate
  id INTEGER PRIMARY KEY, due INTEGER NOT NULL, what TEXT NOT NULL, target INTEGER NOT NULL
);
CREATE INDEX pending_due ON pending (due);
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY, payload TEXT NOT NULL, created INTEGER NOT NULL, due INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL, answered INTEGER
);
CREATE INDEX delivery_due ON delivery (due) WHERE due IS NOT NULL;
CREATE TABLE journal (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, client TEXT NOT NULL, method TEXT NOT NULL,
  target TEXT NOT NULL, endpoint TEXT NOT NULL, status INTEGER NOT NULL, ms REAL NOT NULL,
  fault TEXT NOT NULL, breaches TEXT NOT NULL
);
CREATE TABLE breach (rule TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
