package io.ojs.boot.it;

import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;

/**
 * With PostgreSQL.
 */
class StoredJobsFaultsOnPostgresTests extends StoredJobsFaultsContract {

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Override
	String url() {
		return this.database.url();
	}

	@Override
	String username() {
		return this.database.username();
	}

	@Override
	String password() {
		return this.database.password();
	}

}
