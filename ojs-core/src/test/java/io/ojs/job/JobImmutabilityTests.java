package io.ojs.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A job does not change with the lists and maps that it was made of, nor through those
 * that it gives.
 */
class JobImmutabilityTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	@Test
	void argsAreCopiedAllTheWayDown() {
		List<Object> inner = new ArrayList<>(List.of("a"));
		Map<String, Object> object = new HashMap<>(Map.of("list", inner));
		List<Object> args = new ArrayList<>(Arrays.asList(object, null));
		Job job = Job.builder(ID, "a.b", "default").args(args).build();
		args.clear();
		object.clear();
		inner.clear();
		assertThat(job.args()).containsExactly(Map.of("list", List.of("a")), null);
	}

	@Test
	@SuppressWarnings("unchecked")
	void nothingThatItGivesCanBeChanged() {
		Job job = Job.builder(ID, "a.b", "default")
			.args(List.of(List.of("a"), Map.of("k", "v")))
			.meta(Map.of("m", new ArrayList<>(List.of(1))))
			.extensions(Map.of("x", 1))
			.build();
		assertRefused(() -> job.args().add("b"));
		assertRefused(() -> ((List<Object>) job.args().get(0)).add("b"));
		assertRefused(() -> ((Map<String, Object>) job.args().get(1)).put("b", "c"));
		assertRefused(() -> ((List<Object>) job.meta().get("m")).add(2));
		assertRefused(() -> job.extensions().put("y", 2));
		assertRefused(() -> job.errors().add(null));
	}

	private static void assertRefused(Runnable change) {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(change::run);
	}

	@Test
	void requestIsATemplateThatItsCopiesDoNotChange() {
		JobRequest template = JobRequest.of("a.b", 1).meta("k", "v");
		JobRequest changed = template.priority(5).meta("k", "other").queue("mail").tags("x").extension("e", 1);
		assertThat(template.priority()).isNull();
		assertThat(template.queue()).isNull();
		assertThat(template.meta()).isEqualTo(Map.of("k", "v"));
		assertThat(template.extensions()).isEmpty();
		assertThat(changed.meta()).isEqualTo(Map.of("k", "other", "tags", List.of("x")));
	}

	@Test
	void requestWithNullHasOneArgumentAsItWasMeant() {
		assertThat(JobRequest.of("a.b", (Object[]) null).args()).containsExactly((Object) null);
		assertThat(JobRequest.of("a.b", null, null).args()).containsExactly(null, null);
		assertThat(JobRequest.of("a.b").args()).isEmpty();
	}

	@Test
	void requestDoesNotChangeWithTheArrayOfItsArguments() {
		Object[] args = { "a" };
		JobRequest request = JobRequest.of("a.b", args);
		args[0] = "b";
		assertThat(request.args()).containsExactly("a");
	}

}
