/**
 * Single steps of a job's way, without a broker and without a database: how long each
 * takes, and what it allocates.
 */
@NullMarked
package io.ojs.benchmark.micro;

import org.jspecify.annotations.NullMarked;
