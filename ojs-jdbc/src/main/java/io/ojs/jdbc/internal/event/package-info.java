/**
 * The feed of events, in the database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.event;

import org.jspecify.annotations.NullMarked;
