/**
 * Counts, searches and deletions of jobs in a database, for operators. Not part of the
 * API.
 */
@NullMarked
package io.ojs.jdbc.internal.admin;

import org.jspecify.annotations.NullMarked;
