package io.ojs.boot.internal;

import java.lang.management.ManagementFactory;
import java.util.UUID;

/**
 * Names of processes in tables.
 */
public final class ProcessName {

	private static final int LONGEST = 100;

	private ProcessName() {
	}

	/**
	 * A name such as 4711@host/1a2b3c4d, which people can read in the table. The random
	 * suffix distinguishes processes with the same number, whether one after the other or
	 * in containers.
	 */
	public static String create() {
		String name = ManagementFactory.getRuntimeMXBean().getName();
		return name.substring(0, Math.min(name.length(), LONGEST)) + "/" + UUID.randomUUID().toString().substring(0, 8);
	}

}
