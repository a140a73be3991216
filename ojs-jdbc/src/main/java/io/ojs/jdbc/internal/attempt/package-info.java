/**
 * Claims and outcomes of attempts, in the database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.attempt;

import org.jspecify.annotations.NullMarked;
