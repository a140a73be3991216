package io.ojs.boot.it;

import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;

/**
 * With PostgreSQL.
 */
class HttpFuzzOnPostgresTests extends HttpFuzzContract {

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Override
	Application.Starter database(Application.Starter starter) {
		return starter.database(this.database.url(), this.database.username(), this.database.password());
	}

}
