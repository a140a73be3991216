/**
 * Jobs in memory, for tests that need neither a broker nor a database: {@code TestJobs}
 * keeps what is enqueued and runs it when it is told to. Knows no Spring.
 */
@NullMarked
package io.ojs.test.jobs;

import org.jspecify.annotations.NullMarked;
