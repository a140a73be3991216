package io.ojs.middleware.internal;

import java.util.function.Consumer;

import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.InvalidMiddlewareException;
import io.ojs.middleware.MiddlewareChain;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * In which order middleware is run, and what nobody can change of it.
 */
class MiddlewareChainTests {

	private final OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();

	@Test
	void stepsOfEnqueueingStandInTheirOrder() {
		assertThat(this.chain.names()).containsExactly("trace", "tenant", "validate", "unique", "rate-limit",
				"encrypt");
	}

	@Test
	void stepsOfExecutionStandInTheirOrder() {
		OrderedMiddleware<ExecutionMiddleware> execution = OrderedMiddleware.ofExecution();
		execution.add("a", (context, next) -> next.proceed(context));
		execution.add("b", (context, next) -> next.proceed(context));
		execution.prepend("c", (context, next) -> next.proceed(context));
		assertThat(execution.names()).containsExactly("trace", "decrypt", "tenant", "c", "a", "b");
	}

	@Test
	void thoseOfTheApplicationHaveAPlaceOfTheirOwn() {
		this.chain.add("a", (job) -> job);
		this.chain.add("b", (job) -> job);
		this.chain.prepend("c", (job) -> job);
		assertThat(this.chain.names()).containsExactly("trace", "tenant", "c", "a", "b", "validate", "unique",
				"rate-limit", "encrypt");
	}

	@Test
	void orStandWhereverTheyAreInserted() {
		this.chain.insertAfter("encrypt", "last", (job) -> job);
		this.chain.insertBefore("last", "lastButOne", (job) -> job);
		this.chain.insertAfter("trace", "first", (job) -> job);
		this.chain.insertBefore("unique", "plain", (job) -> job);
		this.chain.insertAfter("tenant", "own", (job) -> job);
		this.chain.add("added", (job) -> job);
		this.chain.prepend("prepended", (job) -> job);
		assertThat(this.chain.names()).containsExactly("trace", "first", "tenant", "prepended", "own", "added",
				"validate", "plain", "unique", "rate-limit", "encrypt", "lastButOne", "last");
		this.chain.remove("lastButOne");
		this.chain.remove("own");
		assertThat(this.chain.names()).containsExactly("trace", "first", "tenant", "prepended", "added", "validate",
				"plain", "unique", "rate-limit", "encrypt", "last");
	}

	@Test
	void oneMayBeThereTwice() {
		EnqueueMiddleware twice = (job) -> job;
		this.chain.add("before", twice);
		this.chain.insertAfter("unique", "after", twice);
		assertThat(this.chain.names()).contains("before", "after");
	}

	@Test
	void stepsStay() {
		refused((chain) -> chain.remove("encrypt"), "'encrypt' is no middleware of the application");
		refused((chain) -> chain.insertBefore("trace", "a", (job) -> job), "'a' cannot stand before 'trace'");
		refused((chain) -> chain.add("unique", (job) -> job), "The name 'unique'");
		assertThat(this.chain.names()).hasSize(6);
	}

	@Test
	void whatCannotBeDoneSaysWhatThereIs() {
		this.chain.add("audit", (job) -> job);
		refused((chain) -> chain.insertAfter("audti", "b", (job) -> job),
				"There is no middleware 'audti' in the chain [trace, tenant, audit, validate,");
		refused((chain) -> chain.insertBefore("audti", "b", (job) -> job), "There is no middleware 'audti'");
		refused((chain) -> chain.remove("audti"), "There is no middleware 'audti'");
		refused((chain) -> chain.add("audit", (job) -> job), "The name 'audit'");
		refused((chain) -> chain.prepend(" ", (job) -> job), "The name ' '");
		assertThatNullPointerException().isThrownBy(() -> this.chain.add("b", null)).withMessageContaining("'b'");
	}

	@Test
	void nothingChangesOnceItIsUsed() {
		this.chain.add("a", (job) -> job);
		EnqueueChain used = new EnqueueChain(this.chain);
		refused((chain) -> chain.add("b", (job) -> job), "Middleware 'b' comes too late");
		refused((chain) -> chain.remove("a"), "Middleware 'a' comes too late");
		assertThat(used.names()).isEqualTo(this.chain.names()).contains("a").doesNotContain("b");
		assertThat(used.isEmpty()).isFalse();
		assertThat(EnqueueChain.EMPTY.isEmpty()).isTrue();
	}

	private void refused(Consumer<MiddlewareChain<EnqueueMiddleware>> change, String message) {
		assertThatExceptionOfType(InvalidMiddlewareException.class).isThrownBy(() -> change.accept(this.chain))
			.withMessageContaining(message);
	}

}
