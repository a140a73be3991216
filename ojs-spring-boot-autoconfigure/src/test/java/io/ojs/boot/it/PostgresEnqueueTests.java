package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import io.ojs.store.JobNotStoredException;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Enqueueing by way of PostgreSQL.
 */
class PostgresEnqueueTests extends StoredEnqueueContract {

	private final PostgresDatabase database = StoreDatabases.create();

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
		try (FaultProxy proxy = FaultProxy.to(PostgresServer.shared());
				Application application = database(application()).property("spring.datasource.url", through(proxy))
					.property("ojs.worker.enabled", false)
					.property("spring.datasource.hikari.connection-timeout", "1000")
					.property("spring.datasource.hikari.validation-timeout", "500")
					.start()) {
			List<String> safe = new ArrayList<>();
			List<JobNotStoredException> failures = new ArrayList<>();
			safe.add(application.ojs().enqueue("email.send").id());
			proxy.refuse();
			proxy.reset();
			// Some may go out on connections that were there: theirs is not known.
			await().until(() -> !enqueue(application, safe, failures) && !last(failures).isOutcomeUnknown());
			assertThat(failures).allSatisfy((ex) -> assertThat(ex.getMessage()).contains(ex.job().id(), "job store"));
			proxy.accept();
			AtomicBoolean back = new AtomicBoolean();
			await().until(() -> {
				back.set(enqueue(application, safe, failures));
				return back.get();
			});
			assertThat(failures).extracting((ex) -> application.ojs().find(ex.job().id()))
				.containsOnly(Optional.empty());
			await().until(
					() -> client().exists("ojs.queue.default") && client().count("ojs.queue.default") >= safe.size());
			assertThat(client().drain("ojs.queue.default")).extracting((message) -> message.getProps().getMessageId())
				.containsAll(safe);
		}
	}

	private String through(FaultProxy proxy) {
		String direct = PostgresServer.shared().host() + ":" + PostgresServer.shared().port();
		assertThat(this.database.url()).contains(direct);
		return this.database.url().replace(direct, proxy.host() + ":" + proxy.port());
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
