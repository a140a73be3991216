package io.ojs.handler.internal;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.handler.JobUpcaster;
import io.ojs.job.Job;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs of older versions for handlers of later ones.
 */
class JobUpcastersTests {

	private static JobUpcasters upcasters(JobUpcaster... all) {
		Map<String, JobUpcaster> named = new LinkedHashMap<>();
		for (JobUpcaster upcaster : all) {
			named.put("bean '%d'".formatted(named.size()), upcaster);
		}
		return new JobUpcasters(named);
	}

	/** Adds its target to the list that is the first argument. */
	private static JobUpcaster upcaster(String from, String to) {
		return new Noting("a.b", from, to);
	}

	private static JobHandlers handlers(String versions, JobUpcaster... upcasters) {
		return new JobHandlers(List.of(definition(versions)), upcasters(upcasters));
	}

	private static JobHandlerDefinition definition(String versions) {
		return HandlerFixture.definition("a.b", "q", RetryOverrides.NONE, VersionRange.parse(versions),
				(context) -> Arrays.asList(context.job().version(), context.job().args(), context.parentResults()));
	}

	private static Job job(@Nullable Object version, Map<String, Object> more) {
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>(more);
		extensions.put("version", version);
		return Job.builder(HandlerFixture.ID, "a.b", "q").args(List.of(List.of())).extensions(extensions).build();
	}

	@SuppressWarnings("unchecked")
	private static List<@Nullable Object> run(JobHandlers handlers, Job job) throws Exception {
		return (List<@Nullable Object>) handlers.find(job).orElseThrow().handler().handle(HandlerFixture.attempt(job));
	}

	private static JobVersion version(String text) {
		return JobVersion.parse(text);
	}

	@Test
	void leadUpwardsStepByStepToWhatAHandlerTakes() throws Exception {
		JobHandlers handlers = handlers(">=3.0 <4.0", upcaster(">=1.0 <2.0", "2.0"), upcaster(">=2.0 <3.0", "3.1"));
		assertThat(run(handlers, job("1.4", Map.of()))).containsExactly(version("3.1"), List.of(List.of("2.0", "3.1")),
				List.of());
		assertThat(run(handlers, job(2, Map.of()))).containsExactly(version("3.1"), List.of(List.of("3.1")), List.of());
		assertThat(run(handlers, job("3.0", Map.of()))).containsExactly(version("3.0"), List.of(List.of()), List.of());
		assertThat(run(handlers, job(null, Map.of()))).containsExactly(null, List.of(List.of()), List.of());
		assertThat(handlers.find(job("4.0", Map.of()))).isEmpty();
		assertThat(handlers.find(job("0.9", Map.of()))).isEmpty();
	}

	@Test
	void areNotAskedForWhatAHandlerTakesItself() throws Exception {
		JobHandlers handlers = new JobHandlers(List.of(definition(">=1.0 <2.0"), definition(">=3.0")),
				upcasters(upcaster(">=1.0 <2.0", "3.0"), upcaster("<1.0", "1.0")));
		assertThat(run(handlers, job("1.0", Map.of()))).startsWith(version("1.0"), List.of(List.of()));
		assertThat(run(handlers, job("0.3", Map.of()))).as("no further than it has to")
			.startsWith(version("1.0"), List.of(List.of("1.0")));
	}

	@Test
	void whatTheyLeadFromCountsAsHandled() {
		JobHandlers handlers = handlers(">=3.0 <4.0", upcaster(">=1.0 <2.0", "2.0"), upcaster(">=2.0 <3.0", "3.0"),
				upcaster("<0.5", "0.5"));
		for (String version : List.of("1.0", "2.9", "3.5")) {
			assertThat(handlers.handled().contain("a.b", version(version))).as(version).isTrue();
			assertThat(handlers.find(job(version, Map.of()))).as(version).isPresent();
		}
		for (String version : List.of("0.1", "0.7", "4.0")) {
			assertThat(handlers.handled().contain("a.b", version(version))).as(version).isFalse();
			assertThat(handlers.find(job(version, Map.of()))).as(version).isEmpty();
		}
		assertThat(handlers.handled().contain("a.b", null)).isTrue();
		assertThat(handlers.handled().contain("x.y", version("1.0"))).as("a mistake, and not another's").isTrue();
	}

	@Test
	void changeNothingOfTheJobThatIsKept() throws Exception {
		Job old = job("1.0", Map.of());
		run(handlers("2.0", upcaster("<2.0", "2.0")), old);
		assertThat(old.version()).isEqualTo(version("1.0"));
		assertThat(old.args()).isEqualTo(List.of(List.of()));
	}

	@Test
	@Tag("EI-010")
	void resultsOfEarlierStepsAreMadeWhatTheJobExpects() throws Exception {
		Map<String, Object> parents = Map.of("parent_results",
				Arrays.asList("r", Arrays.asList("s", null), "other", "none"), "parent_versions", Arrays.asList(
						of("1.0"), Arrays.asList(of("2.0"), of("1.0")), Map.of("type", "x.y", "version", "1.0"), null));
		JobUpcaster[] all = { upcaster("<2.0", "2.0"), upcaster(">=2.0 <3.0", "3.0") };
		assertThat(run(handlers("*", all), job("2.5", parents)).get(2))
			.isEqualTo(Arrays.asList("r>2.0", Arrays.asList("s", null), "other", "none"));
		assertThat(run(handlers("*", all), job("1.0", parents)).get(2))
			.isEqualTo(Arrays.asList("r", Arrays.asList("s", null), "other", "none"));
		assertThat(run(handlers("*", all), job(null, parents)).get(2)).as("the latest is assumed")
			.isEqualTo(Arrays.asList("r>2.0>3.0", Arrays.asList("s>3.0", null), "other", "none"));
		assertThat(run(handlers("3.0", all), job("1.0", parents)).get(2)).as("as the handler sees its own job")
			.isEqualTo(Arrays.asList("r>2.0>3.0", Arrays.asList("s>3.0", null), "other", "none"));
	}

	private static Map<String, Object> of(String version) {
		return Map.of("type", "a.b", "version", version);
	}

	@Test
	void valuesMayBeChangedInPlace() throws Exception {
		JobUpcaster upcaster = JobUpcaster.of("a.b", "<2.0", "2.0", (args) -> {
			@SuppressWarnings("unchecked")
			List<Object> first = (List<Object>) args.get(0);
			first.add("more");
			args.add("last");
			return args;
		});
		assertThat(run(handlers("2.0", upcaster), job(1, Map.of())).get(1)).isEqualTo(List.of(List.of("more"), "last"));
	}

	@Test
	void mistakesAreNamedWithTheirBeansAndAFix() {
		assertRefused("bean '0' cannot be used: it leads from versions >=1.0 to 2.0", "end with <2.0",
				upcaster(">=1.0", "2.0"));
		assertRefused("it leads from versions >=1.0 <2.0 to 1.5", "end with <1.5", upcaster(">=1.0 <2.0", "1.5"));
		assertRefused(
				"bean '1' cannot be used: it takes versions >=1.5 <2.5 of jobs of type 'a.b', and bean '0' takes "
						+ ">=1.0 <2.0",
				"no version in common", upcaster(">=1.0 <2.0", "2.0"), upcaster(">=1.5 <2.5", "3.0"));
		assertRefused("'type' must be", "type()", new Noting("A", "1.0", "2.0"));
	}

	private static void assertRefused(String problem, String fix, JobUpcaster... all) {
		assertThatExceptionOfType(InvalidJobHandlerException.class).isThrownBy(() -> upcasters(all))
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.fix()).contains(fix));
	}

	private record Noting(String type, VersionRange from, JobVersion to) implements JobUpcaster {

		Noting(String type, String from, String to) {
			this(type, VersionRange.parse(from), JobVersion.parse(to));
		}

		@Override
		public List<@Nullable Object> upcastArgs(List<@Nullable Object> args) {
			@SuppressWarnings("unchecked")
			List<Object> seen = (List<Object>) args.get(0);
			seen.add(this.to.toString());
			return args;
		}

		@Override
		public @Nullable Object upcastResult(@Nullable Object result) {
			return result + ">" + this.to;
		}

	}

}
