package io.ojs.boot.it;

import java.util.UUID;

/**
 * With H2, whose tables all connections of this process see.
 */
class StoredJobsFaultsOnH2Tests extends StoredJobsFaultsContract {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Override
	String url() {
		return this.url;
	}

	@Override
	String username() {
		return "sa";
	}

	@Override
	String password() {
		return "";
	}

}
