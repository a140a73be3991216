package io.ojs.boot.it;

import java.util.UUID;

/**
 * With H2.
 */
class HttpFuzzOnH2Tests extends HttpFuzzContract {

	@Override
	Application.Starter database(Application.Starter starter) {
		return starter.database("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID()),
				"sa", "");
	}

}
