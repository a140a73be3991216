package io.ojs.middleware.internal;

import java.util.List;
import java.util.Map;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.UndecryptableException;
import io.ojs.crypto.UnknownKeyException;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.ArgumentMismatchException;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobHandler;
import io.ojs.handler.internal.HandlerFixture;
import io.ojs.handler.internal.JobFailure;
import io.ojs.job.Job;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.retry.FailureResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Handlers see arguments, and nobody else does.
 */
class DecryptionTests {

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String MARKER = "4111-1111";

	private static JobEncryption encryption(String key) {
		return new JobEncryption(new FixedKeys(key, List.of(EncryptionKey.of(key, KEY))), EncryptedJobs.ALL, List.of());
	}

	private final JobContext context = attempt(encryption("k"));

	private static JobContext attempt(JobEncryption encryption) {
		Job job = encryption.encrypt(HandlerFixture.attempt(MARKER).job());
		return HandlerFixture.attempt(job);
	}

	private static Object execute(JobEncryption encryption, JobContext context, JobHandler handler) throws Exception {
		OrderedMiddleware<ExecutionMiddleware> chain = OrderedMiddleware.ofExecution();
		chain.insertBefore("decrypt", "outside", (outside, next) -> {
			assertThat(outside.job().args().toString()).doesNotContain(MARKER);
			return next.proceed(outside);
		});
		chain.add("inside", (inside, next) -> {
			assertThat(inside.job().args()).containsExactly(MARKER);
			return next.proceed(inside);
		});
		return new ExecutionChain(chain, Map.of("decrypt", new Decryption(encryption))).execute(context, handler);
	}

	@Test
	void whoIsBehindItSeesArguments() throws Exception {
		assertThat(execute(encryption("k"), this.context, (inside) -> {
			inside.attributes().put("seen", true);
			assertThat(List.of(inside.attempt(), inside.maxAttempts(), inside.isCancelled()))
				.containsExactly(this.context.attempt(), this.context.maxAttempts(), this.context.isCancelled());
			assertThat(inside.toString()).doesNotContain(MARKER);
			return inside.job().args().get(0);
		})).isEqualTo(MARKER);
		assertThat(this.context.attributes()).containsEntry("seen", true);
		assertThat(this.context.job().args().toString()).doesNotContain(MARKER);
	}

	@Test
	void aJobThatIsNotEncryptedIsLeftAsItIs() throws Exception {
		JobContext plain = HandlerFixture.attempt("plain");
		assertThat(new Decryption(JobEncryption.OFF).execute(plain, (inside) -> inside)).isSameAs(plain);
	}

	@Test
	@Tag("EI-R005")
	void anArgumentThatDoesNotFitIsNotShown() throws Exception {
		JobHandler takesNumber = HandlerFixture.handler(this, "takesNumber");
		assertThatExceptionOfType(ArgumentMismatchException.class)
			.isThrownBy(() -> takesNumber.handle(HandlerFixture.attempt(MARKER)))
			.withMessageContaining(MARKER);
		assertThatExceptionOfType(ArgumentMismatchException.class)
			.isThrownBy(() -> execute(encryption("k"), this.context, takesNumber))
			.withNoCause()
			.withMessageContaining("Parameter 'number' of DecryptionTests.takesNumber(int number) cannot take")
			.withMessageContaining("[encrypted]")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(MARKER));
	}

	@Test
	@Tag("EI-R005")
	void norDoesMiddlewareSeeIt() {
		OrderedMiddleware<ExecutionMiddleware> chain = OrderedMiddleware.ofExecution();
		chain.add("wraps", (inside, next) -> {
			try {
				return next.proceed(inside);
			}
			catch (ArgumentMismatchException ex) {
				throw new IllegalStateException(ex);
			}
		});
		ExecutionChain built = new ExecutionChain(chain, Map.of("decrypt", new Decryption(encryption("k"))));
		JobHandler takesNumber = HandlerFixture.handler(this, "takesNumber");
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> built.execute(this.context, takesNumber))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains("[encrypted]").doesNotContain(MARKER))
			.satisfies((ex) -> assertThat(ex.getCause().getMessage()).doesNotContain(MARKER));
	}

	void takesNumber(int number) {
		assertThat(number).isPositive();
	}

	@Test
	void aKeyThatIsNotKnownMayStillCome() {
		assertThatExceptionOfType(UnknownKeyException.class)
			.isThrownBy(() -> execute(encryption("other"), this.context, (inside) -> null))
			.satisfies((ex) -> assertThat(JobFailure.of(ex, 1, java.time.Clock.systemUTC()).response())
				.isEqualTo(FailureResponse.RETRY));
	}

	@Test
	void whatTheKeyDoesNotOpenNeverWill() {
		Job forged = this.context.job()
			.toBuilder()
			.args(List.of(Map.of("ojs_encoded", true, "encoding", "binary/encrypted", "data",
					"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")))
			.build();
		assertThatExceptionOfType(UndecryptableException.class)
			.isThrownBy(() -> execute(encryption("k"), HandlerFixture.attempt(forged), (inside) -> null))
			.satisfies((ex) -> {
				JobFailure failure = JobFailure.of(ex, 1, java.time.Clock.systemUTC());
				assertThat(failure.response()).isEqualTo(FailureResponse.DEAD_LETTER);
				assertThat(failure.error().code()).isEqualTo("INVALID_ARGS");
			});
	}

}
