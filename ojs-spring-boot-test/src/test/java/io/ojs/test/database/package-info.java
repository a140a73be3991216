@NullMarked
package io.ojs.test.database;

import org.jspecify.annotations.NullMarked;
