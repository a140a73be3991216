package io.ojs.handler;

import java.util.List;
import java.util.function.UnaryOperator;

import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import org.jspecify.annotations.Nullable;

/**
 * Makes what an older version of a type meant into what a later one means, so that a
 * handler of the later one can work older jobs. Beans of this type are applied before the
 * handler, one after another; see {@link JobUpcasters}.
 *
 * <p>
 * Values are JSON's own: strings, numbers, booleans, nulls, lists and maps. Those that
 * come in are copies and may be changed. What is thrown has failed the attempt.
 */
public interface JobUpcaster {

	/**
	 * The type of the jobs.
	 * @return the type, without a version
	 */
	String type();

	/**
	 * The versions that it takes.
	 * @return a range that ends where {@link #to} begins, or before
	 */
	VersionRange from();

	/**
	 * The version that it makes of them.
	 * @return a version behind all of {@link #from}
	 */
	JobVersion to();

	/**
	 * Transforms the arguments of a job.
	 * @param args the arguments, of a version that it takes
	 * @return the arguments of the version that it makes
	 */
	List<@Nullable Object> upcastArgs(List<@Nullable Object> args);

	/**
	 * Transforms what a job has returned, for the next job of its workflow (OJS Extension
	 * Interactions §12).
	 * @param result the result of a job of a version that it takes
	 * @return the result as a job of the version that it makes would have returned it
	 */
	default @Nullable Object upcastResult(@Nullable Object result) {
		return result;
	}

	/**
	 * An upcaster for arguments, where results have not changed.
	 * @param type the type of the jobs
	 * @param from the versions that it takes, such as {@code <2.0}
	 * @param to the version that it makes of them, such as {@code 2.0}
	 * @param args transforms the arguments
	 * @return the upcaster
	 * @throws io.ojs.job.InvalidJobException if the range or the version cannot be read
	 */
	static JobUpcaster of(String type, String from, String to, UnaryOperator<List<@Nullable Object>> args) {
		return new ArgsUpcaster(type, VersionRange.parse(from), JobVersion.parse(to), args);
	}

}
