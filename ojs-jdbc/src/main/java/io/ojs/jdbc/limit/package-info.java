/**
 * Limits in a database: which jobs start, which wait in which line, and which are let
 * through.
 */
@NullMarked
package io.ojs.jdbc.limit;

import org.jspecify.annotations.NullMarked;
