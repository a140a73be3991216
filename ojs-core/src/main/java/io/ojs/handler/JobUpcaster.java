package io.ojs.handler;

import java.util.List;
import java.util.function.UnaryOperator;

import io.ojs.handler.internal.JobUpcasters;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import org.jspecify.annotations.Nullable;

/**
 * Converts jobs of an older version to a later version, so that a handler for the later
 * one can work them. Beans of this type are applied before the handler, one after
 * another; see {@link JobUpcasters}.
 *
 * <p>
 * Values are those of JSON: strings, numbers, booleans, nulls, lists and maps. The values
 * passed in are copies and may be changed. An exception fails the attempt.
 */
public interface JobUpcaster {

	/**
	 * The type of the jobs.
	 * @return the type, without a version
	 */
	String type();

	/**
	 * The versions that it accepts.
	 * @return a range that ends at or before {@link #to}
	 */
	VersionRange from();

	/**
	 * The version that it produces.
	 * @return a version later than all of {@link #from}
	 */
	JobVersion to();

	/**
	 * Converts the arguments of a job.
	 * @param args the arguments, of a version that it accepts
	 * @return the arguments of the version that it produces
	 */
	List<@Nullable Object> upcastArgs(List<@Nullable Object> args);

	/**
	 * Converts the result of a job for the next job of its workflow (OJS Extension
	 * Interactions §12).
	 * @param result the result of a job of a version that it accepts
	 * @return the result that a job of the version that it produces would have returned
	 */
	default @Nullable Object upcastResult(@Nullable Object result) {
		return result;
	}

	/**
	 * Creates an upcaster of arguments that leaves results unchanged.
	 * @param type the type of the jobs
	 * @param from the versions that it accepts, such as {@code <2.0}
	 * @param to the version that it produces, such as {@code 2.0}
	 * @param args transforms the arguments
	 * @return the upcaster
	 * @throws io.ojs.job.InvalidJobException if the range or the version cannot be parsed
	 */
	static JobUpcaster of(String type, String from, String to, UnaryOperator<List<@Nullable Object>> args) {
		return new ArgsUpcaster(type, VersionRange.parse(from), JobVersion.parse(to), args);
	}

}
