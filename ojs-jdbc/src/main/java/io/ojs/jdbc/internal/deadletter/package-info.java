/**
 * Dead letters in a database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.deadletter;

import org.jspecify.annotations.NullMarked;
