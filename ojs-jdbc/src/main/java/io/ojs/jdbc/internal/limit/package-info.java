/**
 * Limits in a database: which jobs start, which wait in which line, and which are let
 * through. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.limit;

import org.jspecify.annotations.NullMarked;
