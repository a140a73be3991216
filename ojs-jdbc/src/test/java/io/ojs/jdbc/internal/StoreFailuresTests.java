package io.ojs.jdbc.internal;

import java.sql.SQLException;

import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.HeuristicCompletionException;
import org.springframework.transaction.UnexpectedRollbackException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a failure says about a commit, or a statement that commits by itself.
 */
class StoreFailuresTests {

	@ParameterizedTest
	@ValueSource(
			strings = { "08006", "08007", "57P01", "57P02", "40003", "53200", "90067", "90028", "HY000", "XX000", "" })
	@NullSource
	void whateverIsNoAnswerLeavesTheOutcomeUnknown(@Nullable String state) {
		assertThat(unknown(failure(state))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "22001", "23505", "25006", "40001", "40P01", "42P01", "53100", "55P03", "57014", "HYT00" })
	void whatTheDatabaseHasUndoneWasNotDone(String state) {
		assertThat(unknown(failure(state))).isFalse();
	}

	@Test
	void whatWasNotSentWasNotDone() {
		SQLException refused = new SQLException("refused", "08001");
		assertThat(unknown(new CannotGetJdbcConnectionException("no", refused))).isFalse();
		assertThat(unknown(new CannotCreateTransactionException("no", refused))).isFalse();
		assertThat(unknown(new UnexpectedRollbackException("marked"))).isFalse();
	}

	@Test
	void severalDatabasesOfWhichSomeMayHaveCommittedAreUnknown() {
		assertThat(unknown(new HeuristicCompletionException(HeuristicCompletionException.STATE_MIXED, null))).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "08006, true", "23505, false", "57P01, true", "HY000, false" })
	void beforeTheCommitNothingIsUnknown(String state, boolean passes) {
		StoreException told = (StoreException) StoreFailures.translate("keep jobs", failure(state), false);
		assertThat(told instanceof StoreUnavailableException).isEqualTo(passes);
		assertThat(told instanceof StoreUnavailableException away && away.isOutcomeUnknown()).isFalse();
	}

	private static boolean unknown(RuntimeException failure) {
		return StoreFailures.translate("keep jobs", failure, true) instanceof StoreUnavailableException away
				&& away.isOutcomeUnknown();
	}

	private static UncategorizedDataAccessException failure(@Nullable String state) {
		return new UncategorizedSQLException("commit", null, new SQLException("it failed", state));
	}

}
