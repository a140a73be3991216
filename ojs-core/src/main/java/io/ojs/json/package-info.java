/**
 * Jobs and values in JSON and back (OJS JSON Format).
 */
@NullMarked
package io.ojs.json;

import org.jspecify.annotations.NullMarked;
