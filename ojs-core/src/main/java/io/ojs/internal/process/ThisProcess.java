package io.ojs.internal.process;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * This process, as others see it.
 *
 * @param id its unique name, such as 4711@host-1a2b3c4d, at most 128 characters
 * @param host the name of its machine
 * @param pid its number there
 * @param application the name of the application; {@code null} if it has none
 * @param version the version of the application; {@code null} if it is unknown
 * @param startedAt when it started
 */
public record ThisProcess(String id, String host, long pid, @Nullable String application, @Nullable String version,
		Instant startedAt) {

	private static final int LONGEST_NAME = 100;

	/**
	 * Names this process. The name is one that people can read, with a random suffix that
	 * distinguishes processes with the same number, whether one after the other or in
	 * containers, and several applications in one process.
	 * @param startedAt the present time
	 */
	public static ThisProcess named(@Nullable String application, @Nullable String version, Instant startedAt) {
		String name = ManagementFactory.getRuntimeMXBean().getName();
		String shown = name.substring(0, Math.min(name.length(), LONGEST_NAME));
		return new ThisProcess(shown + "-" + UUID.randomUUID().toString().substring(0, 8),
				shown.substring(shown.indexOf('@') + 1), ProcessHandle.current().pid(), application, version,
				startedAt);
	}

}
