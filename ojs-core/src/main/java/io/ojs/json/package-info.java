/**
 * Converts jobs and values to JSON and back (OJS JSON Format).
 */
@NullMarked
package io.ojs.json;

import org.jspecify.annotations.NullMarked;
