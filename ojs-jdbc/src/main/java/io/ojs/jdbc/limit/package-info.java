/**
 * Limits in a database: which jobs start, who waits in which line, and who is let
 * through.
 */
@NullMarked
package io.ojs.jdbc.limit;

import org.jspecify.annotations.NullMarked;
