package io.ojs.handler;

import java.util.List;
import java.util.function.UnaryOperator;

import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import org.jspecify.annotations.Nullable;

/**
 * An upcaster that is a function of the arguments.
 *
 * @param type the type of the jobs
 * @param from the versions that it accepts
 * @param to the version that it produces
 * @param args transforms the arguments
 */
record ArgsUpcaster(String type, VersionRange from, JobVersion to,
		UnaryOperator<List<@Nullable Object>> args) implements JobUpcaster {

	@Override
	public List<@Nullable Object> upcastArgs(List<@Nullable Object> values) {
		return this.args.apply(values);
	}

}
