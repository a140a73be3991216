/**
 * Versions of jobs in a database: which process works which, and jobs that wait for one.
 * Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.version;

import org.jspecify.annotations.NullMarked;
