package io.ojs.jdbc;

/**
 * A column in a statement for many rows.
 *
 * @param name its name
 * @param type its type, as PostgreSQL calls it
 */
record Column(String name, String type) {

	static Column uuid(String name) {
		return new Column(name, "uuid");
	}

	static Column text(String name) {
		return new Column(name, "text");
	}

	static Column integer(String name) {
		return new Column(name, "int4");
	}

	static Column bigint(String name) {
		return new Column(name, "int8");
	}

	static Column bool(String name) {
		return new Column(name, "bool");
	}

	static Column time(String name) {
		return new Column(name, "timestamptz");
	}

}
