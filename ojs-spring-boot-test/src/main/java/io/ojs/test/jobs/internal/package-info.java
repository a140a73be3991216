/**
 * Keeps jobs in memory, and runs them on the thread of the test.
 */
@NullMarked
package io.ojs.test.jobs.internal;

import org.jspecify.annotations.NullMarked;
