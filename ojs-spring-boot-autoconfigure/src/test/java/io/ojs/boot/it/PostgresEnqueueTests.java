package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import io.ojs.store.JobNotStoredException;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Enqueueing by way of PostgreSQL.
 */
class PostgresEnqueueTests extends StoredEnqueueContract {

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Override
	Application.Starter database(Application.Starter starter) {
		return starter.database(this.database.url(), this.database.username(), this.database.password());
	}

	@Test
	void databaseThatGoesAwayIsAnExceptionAndComesBack() {
		try (PostgresServer server = PostgresServer.start(); PostgresDatabase own = server.newDatabase()) {
			try (Application application = application().database(own.url(), own.username(), own.password())
				.property("ojs.worker.enabled", false)
				.property("spring.datasource.hikari.connection-timeout", "1000")
				.property("spring.datasource.hikari.validation-timeout", "500")
				.start()) {
				List<String> safe = new ArrayList<>();
				List<JobNotStoredException> failures = new ArrayList<>();
				safe.add(application.ojs().enqueue("email.send").id());
				server.kill();
				// Some may go out on connections that were there: theirs is not known.
				await().until(() -> !enqueue(application, safe, failures) && !last(failures).isOutcomeUnknown());
				assertThat(failures)
					.allSatisfy((ex) -> assertThat(ex.getMessage()).contains(ex.job().id(), "job store"));
				server.restart();
				AtomicBoolean back = new AtomicBoolean();
				await().until(() -> {
					back.set(enqueue(application, safe, failures));
					return back.get();
				});
				assertThat(failures).extracting((ex) -> application.ojs().find(ex.job().id()))
					.containsOnly(Optional.empty());
				await().until(() -> client().count("ojs.queue.default") >= safe.size());
				assertThat(client().drain("ojs.queue.default"))
					.extracting((message) -> message.getProps().getMessageId())
					.containsAll(safe);
			}
		}
	}

	private static boolean enqueue(Application application, List<String> safe, List<JobNotStoredException> failures) {
		try {
			safe.add(application.ojs().enqueue("email.send").id());
			return true;
		}
		catch (JobNotStoredException ex) {
			failures.add(ex);
			return false;
		}
	}

	private static JobNotStoredException last(List<JobNotStoredException> failures) {
		return failures.get(failures.size() - 1);
	}

}
