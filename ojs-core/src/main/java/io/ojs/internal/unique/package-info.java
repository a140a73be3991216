/**
 * The keys by which unique jobs are compared (OJS Unique Jobs §4). Not part of the API.
 */
@NullMarked
package io.ojs.internal.unique;

import org.jspecify.annotations.NullMarked;
