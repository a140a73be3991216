/**
 * The keys by which unique jobs are compared (OJS Unique Jobs §4).
 */
@NullMarked
package io.ojs.unique;

import org.jspecify.annotations.NullMarked;
