package io.ojs.handler.internal;

import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The handlers of an application, by type and by queue.
 */
class JobHandlersTests {

	private final JobHandlerDefinition send = HandlerFixture.definition("email.send", "email", RetryOverrides.NONE);

	private final JobHandlerDefinition bounce = HandlerFixture.definition("email.bounce", "email", RetryOverrides.NONE);

	private final JobHandlerDefinition clean = HandlerFixture.definition("cleanup", "default", RetryOverrides.NONE);

	private final JobHandlers handlers = HandlerFixture.handlers(this.send, this.clean, this.bounce);

	@Test
	void areFoundByTheirType() {
		assertThat(this.handlers.find("email.send")).contains(this.send);
		assertThat(this.handlers.find("email")).isEmpty();
		assertThat(this.handlers.find("email.send.x")).isEmpty();
	}

	@Test
	void areListedByTheirQueueInAlphabeticalOrder() {
		assertThat(this.handlers.byQueue().keySet()).containsExactly("default", "email");
		assertThat(this.handlers.byQueue().get("email")).containsExactly(this.send, this.bounce);
	}

	@Test
	void cannotBeChangedByWhoLooksAtThem() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.handlers.byQueue().clear());
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.handlers.byQueue().get("email").clear());
	}

	@Test
	void haveOneForAType() {
		JobHandlerDefinition other = new JobHandlerDefinition("email.send", "elsewhere", 0, RetryOverrides.NONE,
				(context) -> null, "bean 'other', method Other.send");
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> HandlerFixture.handlers(this.send, other))
			.withMessage("The job handler of bean 'other', method Other.send cannot be used: bean 'x', method "
					+ "X.email.send already handles jobs of type 'email.send'.")
			.satisfies((ex) -> assertThat(ex.fix()).contains("another type"));
	}

	@Test
	void areChosenByTheVersionOfTheJob() {
		JobHandlerDefinition old = versions("<2.0", "old");
		JobHandlerDefinition current = versions(">=2.0 <3.0", "current");
		JobHandlers both = HandlerFixture.handlers(old, current);
		assertThat(both.find("email.send", JobVersion.parse("1.9"))).contains(old);
		assertThat(both.find("email.send", JobVersion.parse("2.0"))).contains(current);
		assertThat(both.find("email.send", JobVersion.parse("3.0"))).isEmpty();
		assertThat(both.find("email.send", null)).as("that of the highest versions").contains(current);
		assertThat(both.find("email.send")).contains(current);
		assertThat(both.all("email.send")).containsExactly(current, old);
		assertThat(both.byQueue().keySet()).containsExactly("current", "old");
		assertThat(both.handled().contain("email.send", JobVersion.parse("3.0"))).isFalse();
	}

	private static JobHandlerDefinition versions(String range, String queue) {
		return HandlerFixture.definition("email.send", queue, RetryOverrides.NONE, VersionRange.parse(range),
				(context) -> null);
	}

	@Test
	void haveOneForAVersion() {
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> HandlerFixture.handlers(versions(">=1.0 <2.0", "a"), versions(">=2.0", "b"),
					versions("1.5", "c")))
			.withMessage(
					"The job handler of bean 'x', method X.email.send of 1.5 cannot be used: it takes versions 1.5 "
							+ "of jobs of type 'email.send', and bean 'x', method X.email.send of >=1.0 <2.0 takes >=1.0 <2.0 "
							+ "of them: some are in both ranges.")
			.satisfies((ex) -> assertThat(ex.fix()).contains("'versions'"));
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> HandlerFixture.handlers(versions("*", "a"), versions("1.0", "b")))
			.withMessageContaining("takes * of them");
	}

	@Test
	void areForTypesAndQueuesThatCanBe() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> HandlerFixture.definition("Email", "email", RetryOverrides.NONE))
			.withMessageContaining("'type'");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> HandlerFixture.definition("email", "dlx.email", RetryOverrides.NONE))
			.withMessageContaining("'queue'");
	}

	@Test
	void mayBeNone() {
		assertThat(HandlerFixture.handlers().byQueue()).isEmpty();
	}

}
