package io.ojs.boot.it;

import java.util.UUID;

/**
 * Enqueueing by way of an embedded database.
 */
class H2EnqueueTests extends StoredEnqueueContract {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Override
	Application.Starter database(Application.Starter starter) {
		return starter.database(this.url, "sa", "");
	}

}
