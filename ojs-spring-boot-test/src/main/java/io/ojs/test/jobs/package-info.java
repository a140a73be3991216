/**
 * Jobs in memory, for tests that need neither a broker nor a database: {@code TestJobs}
 * keeps enqueued jobs and runs them on demand. Independent of Spring.
 */
@NullMarked
package io.ojs.test.jobs;

import org.jspecify.annotations.NullMarked;
