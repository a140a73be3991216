/**
 * Converts jobs and values to JSON and back (OJS JSON Format). Not part of the API.
 */
@NullMarked
package io.ojs.internal.json;

import org.jspecify.annotations.NullMarked;
