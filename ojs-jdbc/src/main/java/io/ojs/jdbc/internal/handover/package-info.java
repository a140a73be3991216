/**
 * Hands jobs over from a database to the broker. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.handover;

import org.jspecify.annotations.NullMarked;
