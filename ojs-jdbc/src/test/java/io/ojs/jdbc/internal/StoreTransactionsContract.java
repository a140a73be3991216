package io.ojs.jdbc.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

abstract class StoreTransactionsContract extends StoreContract {

	private final List<String> done = new ArrayList<>();

	@Test
	void rollbackLeavesNothing() {
		EncodedJob job = this.stores.encoded((fields) -> fields);
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.stores.transactions.inTransaction(() -> {
				this.stores.keep(job, TestStores.NOW);
				note("never");
				throw new IllegalStateException("no");
			}));
		assertThat(this.stores.jobs.find(job.job().id())).isEmpty();
		assertThat(this.stores.events()).isEmpty();
		assertThat(this.done).isEmpty();
	}

	@Test
	void actionsWaitForTheOutermostCommit() {
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.stores.transactions.isActive()).isTrue();
			this.stores.transactions.inTransaction(() -> {
				note("first");
				return null;
			});
			note("second");
			assertThat(this.done).isEmpty();
		});
		assertThat(this.done).containsExactly("first", "second");
		assertThat(this.stores.transactions.isActive()).isFalse();
	}

	@Test
	void actionsOfARolledBackTransactionAreForgotten() {
		this.stores.users().executeWithoutResult((status) -> {
			note("never");
			status.setRollbackOnly();
		});
		assertThat(this.done).isEmpty();
	}

	@Test
	void withoutTransactionActionsAreDoneAtOnce() {
		note("now");
		assertThat(this.done).containsExactly("now");
	}

	@Test
	void aFailedActionDoesNotKeepOthersFromBeingDone() {
		this.stores.transactions.inTransaction(() -> {
			this.stores.transactions.afterCommit(() -> {
				throw new IllegalStateException("failed");
			});
			note("done");
			return null;
		});
		assertThat(this.done).containsExactly("done");
	}

	@Test
	void actionsOfARolledBackPartAreForgotten() {
		TransactionTemplate nested = new TransactionTemplate(this.stores.transactionManager);
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.stores.users().executeWithoutResult((status) -> {
			nested.executeWithoutResult((part) -> {
				note("never");
				part.setRollbackOnly();
			});
			note("first");
			nested.executeWithoutResult((part) -> {
				note("never");
				part.setRollbackOnly();
			});
			nested.executeWithoutResult((part) -> note("second"));
		});
		assertThat(this.done).containsExactly("first", "second");
	}

	@Test
	void actionsOfAnIndependentTransactionDoNotWait() {
		TransactionTemplate independent = new TransactionTemplate(this.stores.transactionManager);
		independent.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.stores.users().executeWithoutResult((status) -> {
			note("outer");
			independent.executeWithoutResult((other) -> note("inner"));
			assertThat(this.done).containsExactly("inner");
		});
		assertThat(this.done).containsExactly("inner", "outer");
	}

	@Test
	void actionsMayUseTheStore() {
		EncodedJob job = this.stores.encoded((fields) -> fields);
		EncodedJob after = this.stores.encoded((fields) -> fields);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.keep(job, TestStores.NOW);
			this.stores.transactions.afterCommit(() -> {
				this.stores.keep(after, TestStores.NOW);
				note("then");
			});
		});
		assertThat(this.stores.jobs.find(after.job().id())).isPresent();
		assertThat(this.done).containsExactly("then");
	}

	/** What the store tells of is committed, also if a listener has asked for it. */
	@Test
	void actionsThatComeOfActionsWaitForTheirOwnCommit() {
		EncodedJob first = this.stores.keep(this.stores.encoded((fields) -> fields), TestStores.NOW);
		EncodedJob second = this.stores.keep(this.stores.encoded((fields) -> fields), TestStores.NOW);
		List<JobState> seen = new ArrayList<>();
		this.stores.listener = (event) -> {
			seen.add(
					Threads.apart(() -> this.stores.state(event.job().id().equals(first.job().id()) ? first : second)));
			if (seen.size() == 1) {
				this.stores.jobs.cancel(second.job().id(), TestStores.NOW);
			}
		};
		this.stores.users().executeWithoutResult((status) -> this.stores.jobs.cancel(first.job().id(), TestStores.NOW));
		assertThat(seen).containsExactly(JobState.CANCELLED, JobState.CANCELLED);
	}

	/** Nothing that a listener does joins a transaction that is over. */
	@Test
	void theStoreTellsWithoutItsTransaction() {
		EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields), TestStores.NOW);
		this.stores.listener = (event) -> this.done
			.add(event.name() + " " + TransactionSynchronizationManager.isActualTransactionActive());
		this.stores.jobs.cancel(job.job().id(), TestStores.NOW);
		assertThat(this.done).containsExactly("job.cancelled false");
	}

	@Test
	void aCallerMayHaveListenersToldLater() {
		EncodedJob first = this.stores.keep(this.stores.encoded((fields) -> fields), TestStores.NOW);
		EncodedJob second = this.stores.keep(this.stores.encoded((fields) -> fields), TestStores.NOW);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.stores.attempts.telling(() -> {
			this.stores.jobs.cancel(first.job().id(), TestStores.NOW);
			this.stores.jobs.cancel(second.job().id(), TestStores.NOW);
			assertThat(this.stores.told).isEmpty();
			throw new IllegalStateException("a bug");
		}));
		assertThat(this.stores.told).extracting((event) -> event.job().id())
			.containsExactly(first.job().id(), second.job().id());
	}

	@Test
	void theStoreTellsNothingOfWhatIsRolledBack() {
		EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields), TestStores.NOW);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.jobs.cancel(job.job().id(), TestStores.NOW);
			status.setRollbackOnly();
		});
		assertThat(this.stores.told(job)).isEmpty();
		this.stores.jobs.cancel(job.job().id(), TestStores.NOW);
		assertThat(this.stores.told(job)).containsExactly("job.cancelled");
	}

	@Test
	void theTransactionOfAnotherDatabaseDecidesNothing() {
		DataSource other = new DriverManagerDataSource("jdbc:h2:mem:%s".formatted(UUID.randomUUID()));
		EncodedJob job = this.stores.encoded((fields) -> fields);
		new TransactionTemplate(new JdbcTransactionManager(other)).executeWithoutResult((status) -> {
			assertThat(this.stores.transactions.isActive()).isFalse();
			this.stores.transactions.inTransaction(() -> {
				assertThat(this.stores.transactions.isActive()).isTrue();
				note("done");
				assertThat(this.done).isEmpty();
				return this.stores.keep(job, TestStores.NOW);
			});
			assertThat(this.done).containsExactly("done");
			status.setRollbackOnly();
		});
		assertThat(this.stores.jobs.find(job.job().id())).isPresent();
		assertThat(this.done).containsExactly("done");
	}

	@Test
	void theUsersTransactionDecides() {
		EncodedJob job = this.stores.encoded((fields) -> fields);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.keep(job, TestStores.NOW);
			assertThat(this.stores.jobs.find(job.job().id())).isPresent();
			status.setRollbackOnly();
		});
		assertThat(this.stores.jobs.find(job.job().id())).isEmpty();
	}

	private void note(String what) {
		this.stores.transactions.afterCommit(() -> this.done.add(what));
	}

}
