package io.ojs.middleware.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.handler.JobContext;
import io.ojs.handler.internal.HandlerFixture;
import io.ojs.middleware.ExecutionMiddleware;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each middleware is around the next, and the handler is in the middle.
 */
class ExecutionChainTests {

	private final List<String> seen = new ArrayList<>();

	private final OrderedMiddleware<ExecutionMiddleware> chain = OrderedMiddleware.ofExecution();

	private final JobContext context = HandlerFixture.attempt("a");

	private ExecutionMiddleware telling(String name) {
		return (context, next) -> {
			this.seen.add(name + " in");
			try {
				return next.proceed(context) + name;
			}
			finally {
				this.seen.add(name + " out");
			}
		};
	}

	@Test
	void theFirstIsTheOutermost() throws Exception {
		this.chain.add("a", telling("a"));
		this.chain.add("b", telling("b"));
		this.chain.insertBefore("decrypt", "c", telling("c"));
		ExecutionChain built = new ExecutionChain(this.chain, Map.of("tenant", telling("t")));
		assertThat(built.execute(this.context, (context) -> {
			this.seen.add("handler");
			return "result ";
		})).isEqualTo("result batc");
		assertThat(this.seen).containsExactly("c in", "t in", "a in", "b in", "handler", "b out", "a out", "t out",
				"c out");
		assertThat(built.names()).containsExactly("trace", "c", "decrypt", "tenant", "a", "b");
	}

	@Test
	void withoutAnyThereIsTheHandler() throws Exception {
		assertThat(ExecutionChain.EMPTY.execute(this.context, (context) -> context)).isSameAs(this.context);
	}

	@Test
	void whatTheHandlerThrowsGoesOutwards() {
		this.chain.add("mends", (context, next) -> {
			try {
				return next.proceed(context);
			}
			catch (IllegalArgumentException ex) {
				return "mended";
			}
		});
		this.chain.add("a", telling("a"));
		ExecutionChain built = new ExecutionChain(this.chain, Map.of());
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> built.execute(this.context, (context) -> {
				throw new IllegalStateException("no luck");
			}))
			.withMessage("no luck");
		assertThat(this.seen).containsExactly("a in", "a out");
		assertThat(new Object[] { execute(built) }).containsExactly("mended");
	}

	private Object execute(ExecutionChain built) {
		try {
			return built.execute(this.context, (context) -> {
				throw new IllegalArgumentException();
			});
		}
		catch (Exception ex) {
			return ex;
		}
	}

	@Test
	void thoseFurtherInSeeWhatTheyAreGiven() throws Exception {
		JobContext other = HandlerFixture.attempt("b");
		this.chain.add("replaces", (context, next) -> next.proceed(other));
		ExecutionChain built = new ExecutionChain(this.chain, Map.of());
		assertThat(built.execute(this.context, (context) -> context)).isSameAs(other);
	}

	@Test
	void whoDoesNotGoOnAnswersByHimself() throws Exception {
		this.chain.add("answers", (context, next) -> "known already");
		this.chain.add("a", telling("a"));
		assertThat(new ExecutionChain(this.chain, Map.of()).execute(this.context, (context) -> "handler"))
			.isEqualTo("known already");
		assertThat(this.seen).isEmpty();
	}

}
