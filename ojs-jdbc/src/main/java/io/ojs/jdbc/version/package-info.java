/**
 * Versions of jobs in a database: which process works which, and jobs that wait for one.
 */
@NullMarked
package io.ojs.jdbc.version;

import org.jspecify.annotations.NullMarked;
